import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import type { FilePreview } from '../../shared/tools.ts';
import { highlightText } from '../markdown/code/highlight.ts';

type Line = FilePreview['lines'][number];

const signs: Record<Line['kind'], string> = { same: ' ', added: '+', removed: '−', gap: '⋯' };

interface Props {
  lines: readonly Line[];
  path: string;
  label: string;
  isNew?: boolean;
}

export function DiffLines({ lines, path, label, isNew = false }: Props) {
  const html = useHighlightedLines(lines, path);
  return (
    <div class={isNew ? 'diff-lines new-file' : 'diff-lines'} role="group" aria-label={label} tabIndex={0}>
      {lines.map(({ kind, text }, index) => (
        <div key={index} class={`diff-line ${kind}`}>
          {!isNew && <span class="diff-sign">{signs[kind]}</span>}
          {html[index] ? (
            // The highlighter escapes the code and only adds spans with classes.
            <span class="diff-text" dangerouslySetInnerHTML={{ __html: html[index] }} />
          ) : (
            <span class="diff-text">{text}</span>
          )}
        </div>
      ))}
      {isNew && lines.length === 0 && <div class="diff-line cut">{l10n.t('The file is empty.')}</div>}
    </div>
  );
}

export function ChangeCount({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="change-count">
      <span class="added">+{formatNumber(added)}</span> <span class="removed">−{formatNumber(removed)}</span>
    </span>
  );
}

function useHighlightedLines(lines: readonly Line[], path: string): readonly string[] {
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

function splitLines(html: string): string[] {
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
