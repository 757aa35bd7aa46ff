/** What to look for in a line, in a form that can be sent to a worker. */
export interface LinePattern {
  /** Of a JavaScript regular expression. */
  source: string;
  /** `u` and `i`, or none. */
  flags: string;
  /** When the search is for this very text, case included. */
  literal?: string;
  /** Whether it was made from plain text, so that matching cannot take long, whatever the line. */
  isPlain: boolean;
}

export interface PatternRequest {
  query: string;
  isRegex: boolean;
  ignoreCase: boolean;
}

/** Makes a pattern, or says in words for a model why there can be none. */
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
  const flags = ignoreCase ? 'iu' : 'u';
  if (!isRegex) {
    const source = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return { source, flags, isPlain: true, ...(!ignoreCase && { literal: query }) };
  }
  return compileRegex(query, ignoreCase);
}

function compileRegex(query: string, ignoreCase: boolean): LinePattern | { problem: string } {
  // Two habits from other dialects that have a plain equivalent here.
  const inline = /^\(\?i\)/.exec(query);
  const body = (inline ? query.slice(inline[0].length) : query).replaceAll('(?P<', '(?<');
  const folding = ignoreCase || inline ? 'i' : '';
  const source = plainEscapes(body);
  const strict = tryRegex(source, `${folding}u`);
  if (strict === undefined) return { source, flags: `${folding}u`, isPlain: false };
  // Lone braces and brackets are taken literally outside the strict mode; escapes it does not know are not, they
  // would silently mean their letter.
  const unknown = /\\(?![dDwWsSbBnrtfv0-9xuc\W_])/.test(source);
  if (!unknown && tryRegex(source, folding) === undefined) return { source, flags: folding, isPlain: false };
  return {
    problem:
      `The regular expression cannot be read: ${strict}. JavaScript syntax is understood. Put a backslash before ` +
      'characters that are meant literally, or set isRegex to false to search for the text as it is.',
  };
}

/** Escapes that are harmless everywhere but refused in strict mode: `\"`, `\-`, `\<`, `\ `. */
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
