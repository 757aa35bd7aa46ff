/**
 * A running server's answer from test/fixtures/recorded/. Supported heads: `=== METHOD PATH -> STATUS TYPE
 * (ms)` with sent lines as `> …`, `=== title` over `HTTP/1.1 STATUS` with header lines or over a success's
 * headers as JSON, and `--- title` with the body in one line and `STATUS TYPE` below it.
 */
export interface RecordedReply {
  /** The text after `===`. */
  title: string;
  /** Set for the first form of head; otherwise empty. */
  method: string;
  /** With the query. */
  path: string;
  /** Undefined without an answer. */
  status: number | undefined;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Body of the request; empty if not recorded. */
  sent: string;
  /** Body of the reply, without surrounding blank lines. Ends in `…` where it was cut. */
  body: string;
}

export function readRecorded(text: string): RecordedReply[] {
  if (text.startsWith('--- ')) return text.split(/^--- /m).slice(1).map(readCall);
  return text.split(/^=== /m).slice(1).map(readReply);
}

/** Throws for a title that was not recorded. */
export function findRecorded(replies: readonly RecordedReply[], title: string): RecordedReply {
  const found = replies.find((reply) => reply.title === title);
  if (!found) throw new Error(`"${title}" was not recorded`);
  return found;
}

function readCall(section: string): RecordedReply {
  const [title = '', body = '', end = ''] = section.split('\n');
  const [status, ...type] = end.split(' ');
  const headers: Record<string, string> = type.length > 0 ? { 'content-type': type.join(' ') } : {};
  return { title, method: '', path: '', sent: '', headers, status: Number(status), body };
}

function readReply(section: string): RecordedReply {
  const [title = '', ...lines] = section.split('\n');
  const asked = /^(\S+) (\S+) -> (\d+|None)\s?(.*?) \(\d+ ms\)$/.exec(title);
  if (asked) {
    const [, method = '', path = '', status, type = ''] = asked;
    const sentLines = lines.filter((line) => line.startsWith('> ')).map((line) => line.slice(2));
    return {
      ...{ title, method, path, sent: sentLines.join('\n') },
      status: status === 'None' ? undefined : Number(status),
      headers: type ? { 'content-type': type } : {},
      body: bodyIn(lines.slice(lines.findLastIndex((line) => line.startsWith('> ')) + 1)),
    };
  }
  if (lines[0]?.startsWith('{"x-')) {
    const sent = Object.entries(JSON.parse(lines[0]) as Record<string, string>);
    const headers = Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), value]));
    return { title, method: '', path: '', sent: '', headers, status: 200, body: bodyIn(lines.slice(1)) };
  }
  const status = /^HTTP\/1\.1 (\d+)/.exec(lines[0] ?? '')?.[1];
  if (status === undefined) {
    return { title, method: '', path: '', sent: '', headers: {}, status: undefined, body: bodyIn(lines) };
  }
  const headers: Record<string, string> = {};
  let at = 1;
  for (; at < lines.length; at++) {
    const header = /^([\w-]+): (.*)$/.exec(lines[at] ?? '');
    // A stream's events look like headers, but no header is called `event` or `data`.
    if (!header?.[1] || /^(event|data|id|retry)$/.test(header[1])) break;
    headers[header[1].toLowerCase()] = header[2] ?? '';
  }
  const body = bodyIn(lines.slice(at));
  return { title, method: '', path: '', sent: '', headers, status: Number(status), body };
}

function bodyIn(lines: readonly string[]): string {
  return lines.join('\n').replace(/^\n+|\s+$/g, '');
}
