import { useEffect, useState } from 'preact/hooks';
import type { FilePreview } from '../../shared/tools.ts';
import { highlightText } from '../markdown/code/highlight.ts';

type Line = FilePreview['lines'][number];

export function useHighlightedLines(lines: readonly Line[], path: string): readonly string[] {
  const [painted, setPainted] = useState<{ key: string; html: readonly string[] }>();
  const key = JSON.stringify([path, lines]);
  useEffect(() => {
    let isStale = false;
    highlightLines(lines, path).then(
      (html) => !isStale && setPainted({ key, html }),
      // Without colours it is the same code.
      () => undefined,
    );
    return () => void (isStale = true);
  }, [key]);
  return painted?.key === key ? painted.html : [];
}

/** Removed lines are read with the old text, all others with the new one. */
async function highlightLines(lines: readonly Line[], path: string): Promise<string[]> {
  const html: string[] = [];
  for (const other of ['removed', 'added'] as const) {
    const side = [...lines.entries()].filter(([, { kind }]) => kind !== other && kind !== 'gap');
    if (!side.some(([, { kind }]) => kind !== 'same')) continue;
    const text = side.map((each) => each[1].text).join('\n');
    const painted = await highlightText(text, languageOf(path));
    const parts = painted === undefined ? [] : splitLines(painted);
    for (const [at, [index]] of side.entries()) html[index] ??= parts[at] ?? '';
  }
  return html;
}

export function splitLines(html: string): string[] {
  const open: string[] = [];
  let lines = '';
  for (const [part] of html.matchAll(/<span[^>]*>|<\/span>|\n|[^<\n]+/g)) {
    if (part === '\n') {
      lines += `${'</span>'.repeat(open.length)}\n${open.join('')}`;
      continue;
    }
    lines += part;
    if (part === '</span>') open.pop();
    else if (part.startsWith('<span')) open.push(part);
  }
  return lines.split('\n');
}

function languageOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
