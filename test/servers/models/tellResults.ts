import { type ChatRequest, messagesOfTurn, textOf } from '../relay/chatRequest.ts';

export function tellResults(request: ChatRequest): string {
  const turn = messagesOfTurn(request);
  const calls = turn.flatMap((message) => message.tool_calls ?? []);
  const lines = turn
    .filter((message) => message.role === 'tool')
    .map((message) => {
      const call = calls.find(({ id }) => id === message.tool_call_id)?.function;
      const content = textOf(message);
      if (call?.name === 'search_knowledge') return tellSegments(content);
      const given = withoutFrame(content);
      const count = given.split('\n').length;
      return `- \`${call?.name}\` ${describeArguments(call?.arguments)}: **${titleOf(given)}** (${count} ${count === 1 ? 'line' : 'lines'})`;
    });
  return `From what the tools gave:\n\n${lines.join('\n')}\n`;
}

/** The first line of each segment, with the citation that a model is asked to write. */
export function tellSegments(content: string): string {
  const segments = [...content.matchAll(/^<segment-[0-9a-f]+ cite="\[(\d+)\]" [^>]*>\n+(.+)$/gm)];
  if (segments.length === 0) return `- ${content.split('\n', 1)[0]}`;
  return segments.map(([, n, line = '']) => `- ${line.replace(/^#+ /, '')} [${n}]`).join('\n');
}

function describeArguments(json = ''): string {
  try {
    const values = Object.values<unknown>(JSON.parse(json || '{}'));
    return values
      .map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``)
      .join(', ');
  } catch {
    return `\`${json}\``;
  }
}

function withoutFrame(content: string): string {
  return /^<(result-[0-9a-f]+)>\n([^]*)\n<\/\1>/.exec(content)?.[2] ?? content;
}

/** The first Markdown heading, also behind line numbers, else the first line with text. */
function titleOf(content: string): string {
  const heading = /^(?:\s*\d+[\s:|→]*)?#{1,6}\s+(.+)$/m.exec(content)?.[1];
  return (heading ?? content.split('\n').find((line) => line.trim()) ?? 'nothing').trim().slice(0, 120);
}
