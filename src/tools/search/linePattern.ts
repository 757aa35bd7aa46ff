import { escapeRegExp, longestEscaped } from '../../base/text/escapeRegExp.ts';

export interface LinePattern {
  source: string;
  flags: string;
  literal?: string;
  isPlain: boolean;
}

export interface PatternRequest {
  query: string;
  isRegex: boolean;
  ignoreCase: boolean;
}

export function compilePattern({
  query,
  isRegex,
  ignoreCase,
}: PatternRequest): LinePattern | { problem: string } {
  if (query === '') return { problem: 'The query is empty. Give the text to search for.' };
  if (/[\r\n]/.test(query)) {
    return {
      problem: 'The query has a line break, but files are searched line by line. Search for one line of it.',
    };
  }
  if (query.length > longestEscaped) {
    return {
      problem: `The query has ${query.length} characters, and at most ${longestEscaped} are searched for. Search for a part of it.`,
    };
  }
  const flags = ignoreCase ? 'iu' : 'u';
  if (!isRegex) {
    const source = escapeRegExp(query);
    return { source, flags, isPlain: true, ...(!ignoreCase && { literal: query }) };
  }
  return compileRegex(query, ignoreCase);
}

function compileRegex(query: string, ignoreCase: boolean): LinePattern | { problem: string } {
  // Syntax of other dialects.
  const inline = /^\(\?i\)/.exec(query);
  const body = (inline ? query.slice(inline[0].length) : query).replaceAll('(?P<', '(?<');
  const folding = ignoreCase || inline ? 'i' : '';
  const source = plainEscapes(body);
  const strict = tryRegex(source, `${folding}u`);
  if (strict === undefined) return { source, flags: `${folding}u`, isPlain: false };
  // Lone braces and brackets are literal without the flag `u`; unknown escapes would silently mean their letter.
  const unknown = /\\(?![dDwWsSbBnrtfv0-9xuc\W_])/.test(source);
  if (!unknown && tryRegex(source, folding) === undefined) return { source, flags: folding, isPlain: false };
  return {
    problem:
      `The regular expression cannot be read: ${strict}. JavaScript syntax is understood. Put a backslash before ` +
      'characters that are meant literally, or set isRegex to false to search for the text as it is.',
  };
}

/** Rewrites escapes that only strict mode rejects: `\"`, `\-`, `\<`, `\ `. */
function plainEscapes(source: string): string {
  return source.replace(/\\([\s\S])/gu, (escape, character: string) => {
    if (/[\\^$.*+?()[\]{}|/\w]/.test(character)) return escape;
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : character;
  });
}

function tryRegex(source: string, flags: string): string | undefined {
  try {
    void new RegExp(source, flags);
    return undefined;
  } catch (error) {
    return error instanceof Error
      ? error.message.replace(/^Invalid regular expression: /, '')
      : String(error);
  }
}
