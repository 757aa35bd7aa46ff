import { readFrame } from '../../base/text/frame.ts';
import type { CommandEnd } from './commandProcess.ts';

/** First line of a result, which `readResult` reads again. */
export function endMessage({ code, signal, leftOthers }: CommandEnd, isStoppedByUser: boolean): string {
  if (isStoppedByUser) return stoppedByUser;
  const end = code === undefined ? `Ended by ${signal ?? 'a signal'}.` : `Exit code ${code}.`;
  return leftOthers
    ? `${end} Processes that it left running were ended; for those that should go on set background.`
    : end;
}

const stoppedByUser = 'The user stopped the command.';
const ending = /^(?:Exit code (?<code>\d+)|Ended by (?<signal>[\w ]+))\./;

export interface CommandResultParts {
  code?: number;
  signal?: string;
  isStoppedByUser?: true;
  /** Without the frames that mark it for the model: the whole output, or its beginning and its end. */
  output: readonly string[];
  text: string;
}

export function readResult(content: string): CommandResultParts {
  const { code, signal } = ending.exec(content)?.groups ?? {};
  const output: string[] = [];
  let text = '';
  for (let at = 0; at < content.length;) {
    const found = content[at] === '<' ? readFrame(content, at) : undefined;
    const end = found?.end ?? (content.indexOf('\n', at) + 1 || content.length);
    if (found) output.push(found.body);
    text += found ? found.body : content.slice(at, end);
    at = end;
  }
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(signal !== undefined && { signal }),
    ...(content.startsWith(stoppedByUser) && { isStoppedByUser: true }),
    output,
    text,
  };
}

const longestLine = 400;
const mostLines = 6;

export function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-mostLines);
  return lines.map((line) => line.slice(0, longestLine)).join('\n');
}

const summary =
  /\b[1-9]\d*\s+(?:[a-z]+\s+)?(?:fail(?:ed|ing|ures?)?|errors?)\b|\bfail(?:ed|ures?)?:?\s+[1-9]/i;
const complaint =
  /\b(?:\w*error|\w*exception|fatal|panic|denied|cannot|can't|no such|not found)\b|\b(?<!\b0 )failed\b/i;
/** The reporters `spec` and `tap` of node:test. */
const countOfNode = /^[ℹ#] fail (\d+)$/;
/** Lines that npm adds to the output of every failed script. */
const noise = /^npm (?:ERR!|error)/;

/** The line that tells best why a command failed: the last count of failures, or the first complaint. */
export function tellingLine(output: readonly string[]): string | undefined {
  const all = output.flatMap((part) => part.split('\n')).map((line) => line.slice(0, longestLine));
  const lines = all.filter((line) => line.trim() !== '' && !noise.test(line));
  const told = lines.findLast((line) => summary.test(line)) ?? lines.find((line) => complaint.test(line));
  return told?.replace(countOfNode, '$1 failed');
}
