import { frame } from '../../base/text/frame.ts';
import type { RenderTarget } from '../profile/dialect.ts';
import type { Message, Picture } from '../messages.ts';

export function hasCalls(messages: readonly Message[]): boolean {
  return messages.some((message) => message.role === 'assistant' && message.toolCalls?.length);
}

/** Calls and results must be paired; `own` keeps this model's. */
export function callsAsWords(messages: readonly Message[], own?: string): readonly Message[] {
  const told: Message[] = [];
  let names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      const name = names.get(message.toolCallId);
      told.push(
        name === undefined ? message : { role: 'user', content: resultInWords(name, message.content) },
      );
    } else if (message.role === 'assistant' && message.toolCalls?.length && message.model !== own) {
      const { toolCalls, content, ...rest } = message;
      names = new Map(toolCalls.map(({ id, name }) => [id, name]));
      const calls = toolCalls.map(({ name, arguments: args }) => `[Called ${name} with ${args}]`);
      told.push({ ...rest, content: [content, ...calls].filter(Boolean).join('\n\n') });
    } else {
      if (message.role === 'assistant') names = new Map();
      told.push(message);
    }
  }
  return told;
}

/** Framed, since a result may read like the user's words. */
function resultInWords(name: string, content: string): string {
  return frame({ kind: 'result', facts: { tool: name }, body: content });
}

/** Replaces pictures by text, except those of the newest user message unless the model is known to lack vision. */
export function picturesAsWords(
  messages: readonly Message[],
  { dialect, isNewest }: RenderTarget & { isNewest: boolean },
): readonly Message[] {
  const newest =
    isNewest && dialect.pictures !== 'none' ? messages.findLastIndex(({ role }) => role === 'user') : -1;
  return messages.map((message, index) => {
    if (message.role !== 'user' || !message.images?.length || index === newest) return message;
    const { images, content } = message;
    return { role: 'user', content: [content, ...images.map(pictureInWords)].filter(Boolean).join('\n\n') };
  });
}

function pictureInWords({ mimeType }: Picture): string {
  return `[A picture (${mimeType}) was attached here. You can't see it.]`;
}
