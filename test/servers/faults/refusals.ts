import type { ChatRequest } from '../relay/chatRequest.ts';
import { isMarked } from '../relay/promptCache.ts';
import { readReplies } from '../script/replies.ts';
import { refuse, refuseForeign, type ScriptedModel } from '../script/script.ts';
import { fault, type FaultScript, plain } from './fault.ts';
import data from './refusals.txt';

/** Request features that vendors refuse; without them they answer. */
const refused: Record<string, (request: ChatRequest) => unknown> = {
  'refuses-temperature': ({ temperature = 1 }) => temperature !== 1,
  'refuses-max-tokens': ({ max_tokens }) => max_tokens,
  'refuses-tools': ({ tools }) => tools,
  'refuses-stream-options': ({ stream_options }) => stream_options,
  'refuses-stream': ({ stream }) => stream,
  'refuses-system': ({ messages }) => messages.some(({ role }) => role === 'system'),
  'claude-refuses-marks': ({ messages }) => messages.some(isMarked),
  'refuses-foreign-calls': ({ messages }) => messages.some(({ tool_calls }) => tool_calls),
  'refuses-tomatoes': ({ messages }) => JSON.stringify(messages).includes('tomato'),
  'refuses-images': ({ messages }) =>
    messages.some(
      ({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'image_url'),
    ),
};

/** Requests refused with an error status, a line of the data file each. */
export const refusals: readonly ScriptedModel[] = readReplies(data).map(({ subject: name, about, reply }) => {
  const refuses = ({ request, context: { attempt } }: FaultScript) =>
    name in refused ? refused[name]?.(request) : !name.endsWith('-then-ok') || attempt % 2 === 1;
  const send = about.startsWith('Foreign:') ? refuseForeign : refuse;
  return fault(name, about, (given) => (refuses(given) ? [send(reply(given.context))] : plain(given)));
});
