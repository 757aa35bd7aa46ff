export interface FencedCode {
  /** The text after the opening fence: a language, often a title. */
  info: string;
  before: string;
}

const fence = /^([\s>]*(?:[-*+] +|\d{1,9}[.)] +)*)(`{3,}|~{3,})([^\n]*)$/;
/** In characters; a file is named close to its code. */
const longestBefore = 1000;

/** Finds the block with this code, as the page showed it: without the marks of quotations and lists around it. */
export function findFence(answer: string, code: string): FencedCode | undefined {
  const lines = answer.replaceAll('\r\n', '\n').split('\n');
  const wanted = bare(code.split('\n'));
  let before: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, prefix = '', mark, info = ''] = fence.exec(lines[at] ?? '') ?? [];
    if (mark === undefined || (mark.startsWith('`') && info.includes('`'))) {
      before.push(lines[at] ?? '');
      continue;
    }
    const inQuote = prefix.includes('>');
    const end = endOf(lines, at + 1, mark, inQuote);
    const content = lines.slice(at + 1, end).map((line) => (inQuote ? unquoted(line) : line));
    if (bare(content) === wanted)
      return { info: info.trim(), before: before.join('\n').trim().slice(-longestBefore) };
    before = [];
    at = end;
  }
  return undefined;
}

function endOf(lines: readonly string[], from: number, mark: string, inQuote: boolean): number {
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(inQuote ? unquoted(line) : line)?.[1];
    if (closing?.startsWith(mark)) return at;
  }
  return lines.length;
}

function unquoted(line: string): string {
  return line.replace(/^[\s>]*>/, '');
}

function bare(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

const prompt = /^(?:\$|%|PS [^>]*>|[A-Z]:\\[^>]*>)\s+/;

/** The commands of a shell block. Of a session with prompts, those lines without their output. */
export function commandsIn(code: string, language: string): string {
  const lines = code.replaceAll('\r\n', '\n').split('\n');
  const isSession = /^(?:console|shell-session)$/i.test(language);
  if (!isSession && !prompt.test(lines.find((line) => line.trim() !== '') ?? '')) return code.trim();
  const commands: string[] = [];
  let continues = false;
  for (const line of lines) {
    if (prompt.test(line)) commands.push(line.replace(prompt, ''));
    else if (continues) commands.push(line.replace(/^> /, ''));
    else continue;
    continues = /[\\`^]$/.test(line);
  }
  return commands.length > 0 ? commands.join('\n').trim() : code.trim();
}
