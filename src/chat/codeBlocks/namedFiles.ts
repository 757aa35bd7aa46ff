import type { FencedCode } from './fencedCode.ts';

export interface NamedFiles {
  title?: string;
  /** Files named in the text before the block, the nearest first. */
  mentioned: readonly string[];
  code: string;
}

const mostMentioned = 5;
const extension = /\.[A-Za-z][\w-]{0,11}$/;
const nameless = /^(?:Makefile|Dockerfile|Gemfile|Rakefile|Justfile|LICENSE)$/;
const firstLine =
  /^\s*(?:\/\/|\/\*+|#|--|;|%|<!--)\s*(?:(?:file|filename|path)\s*:\s*)?([^\s*'"`]{1,300}?)(?::\d+)?\s*(?:\*\/|-->)?\s*$/i;
const diffHeader = /^\+\+\+ (?:b\/)?([^\t\n]{1,300})/m;

/** The files that a code block may be meant for, by its title, its first line and the text before it. */
export function namedFiles({ info, before }: FencedCode, code: string): NamedFiles {
  const [line = ''] = code.split('\n', 1);
  const named = firstLine.exec(line)?.[1];
  const isNamed = named !== undefined && isPath(named) && (named.includes('/') || extension.test(named));
  const title = inInfo(info) ?? (isNamed ? clean(named) : undefined) ?? diffHeader.exec(code)?.[1]?.trim();
  return {
    ...(title !== undefined && title !== '/dev/null' && { title }),
    mentioned: mentionedIn(before),
    code: isNamed ? code.slice(line.length + 1) : code,
  };
}

/** `ts src/a.ts`, `ts title="src/a.ts"`, `ts:src/a.ts`, `12:34:src/a.ts`, `src/a.ts`. */
function inInfo(info: string): string | undefined {
  const [, double, single] = /(?:title|file|filename|path)\s*=\s*(?:"([^"]+)"|'([^']+)')/i.exec(info) ?? [];
  const quoted = double ?? single;
  if (quoted !== undefined) return isPath(quoted.replaceAll(' ', '')) ? clean(quoted) : undefined;
  const words = info.split(/[\s"'{}=,]+|:(?![\\/])/).map(clean);
  return words.find((word) => word !== '' && isPath(word));
}

function mentionedIn(text: string): string[] {
  const found = new Set<string>();
  const words = text.matchAll(/`([^`\n]{1,300})`|\]\(([^()\s]{1,300})\)|[^\s`()[\]{}<>"',;*]{1,300}/g);
  for (const { 0: word, 1: code, 2: address } of [...words].toReversed()) {
    const path = clean(code ?? address ?? word);
    if (isPath(path)) found.add(path);
    if (found.size === mostMentioned) break;
  }
  return [...found];
}

function clean(word: string): string {
  return word
    .trim()
    .replace(/(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/, '')
    .replace(/^[*_("']+|[*_)"':.,!?]+$/g, '')
    .replaceAll('\\', '/')
    .replace(/^\.\//, '');
}

function isPath(word: string): boolean {
  if (/^[a-z][a-z\d+.-]*:/i.test(word) || /[<>|*?\s]/.test(word) || word.length > 300) return false;
  const name = word.slice(word.lastIndexOf('/') + 1);
  return nameless.test(name) || extension.test(name);
}
