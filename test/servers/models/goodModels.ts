import { openaiError } from '../dialects/errors.ts';
import { questionOf } from '../relay/chatRequest.ts';
import { countPrompt } from '../relay/tokens.ts';
import { reasoning, refuse, type ScriptedModel, text } from '../script/script.ts';
import { type CallFragment, argumentPieces } from '../script/wireForm.ts';
import { agentModel } from './agent/agentModel.ts';
import { callOrTell, echo } from './callOrTell.ts';
import { completer } from './completionModels.ts';
import { gullibleModel } from './gullibleModel.ts';
import { longText } from './longText.ts';
import { painterModel } from './painterModel.ts';
import { planCalls } from './planCalls.ts';

/** The well-behaved models. Each says in its answers that it is scripted. */
export const goodModels: readonly ScriptedModel[] = [
  {
    id: 'scripted-echo',
    ownedBy: 'openai',
    describe: 'Answers at once, in markdown, with your last message and what else it was sent.',
    contextWindow: 128_000,
    maxTokens: 16_384,
    *answer(request) {
      yield text(echo('scripted-echo', request));
    },
  },
  {
    id: 'scripted-tools',
    ownedBy: 'openai',
    describe:
      'Calls the tools it is offered: "read README.md", "search for TODO", "list files in src", "run npm test", "search the knowledge base for tides" (and cites what it found), "call NAME with {…}"; several in one message, further rounds after "then".',
    contextWindow: 128_000,
    maxTokens: 16_384,
    *answer(request) {
      yield* callOrTell('scripted-tools', request);
    },
  },
  agentModel,
  gullibleModel,
  {
    id: 'scripted-writer',
    ownedBy: 'claude',
    describe: 'Writes long markdown: "write 300 lines" (60 when no number is given).',
    contextWindow: 200_000,
    maxTokens: 64_000,
    *answer(request) {
      const lines = Number(/\b(\d{1,6})\s+lines\b/i.exec(questionOf(request))?.[1] ?? 60);
      yield text(`# A long answer of a scripted model\n\n${longText(lines - 2)}`);
    },
  },
  {
    id: 'scripted-tools-blocks',
    ownedBy: 'claude',
    describe:
      'As scripted-tools, translated from the messages protocol: text before the calls, `toolu_` ids, call indexes that start at 1 and leave gaps.',
    contextWindow: 200_000,
    maxTokens: 64_000,
    wire: { callFragments: blockFragments },
    *answer(request) {
      const calls = planCalls(request, 'toolu');
      if (calls.length > 0) yield text('I will look at that. (A scripted model, calling a tool.)');
      yield* callOrTell('scripted-tools-blocks', request, calls);
    },
  },
  {
    id: 'scripted-reasoner',
    ownedBy: 'deepseek',
    describe: 'Thinks aloud (`reasoning_content`) before it answers; calls tools as scripted-tools does.',
    contextWindow: 64_000,
    maxTokens: 8192,
    *answer(request) {
      const words = questionOf(request).split(/\s+/).filter(Boolean).length;
      yield reasoning(`The user wrote ${words} words. I am scripted, so I only count them.\n`);
      const calls = planCalls(request);
      yield reasoning(
        calls.length > 0 ? 'A tool is asked for.' : 'Nothing is left to look up; I can answer.',
      );
      yield* callOrTell('scripted-reasoner', request, calls);
    },
  },
  {
    id: 'scripted-thinker',
    ownedBy: 'openrouter',
    describe: 'As scripted-reasoner, with the field named `reasoning`.',
    contextWindow: 32_000,
    maxTokens: 8192,
    wire: { reasoningField: 'reasoning' },
    *answer(request) {
      yield reasoning('I am scripted; thinking is quick.');
      yield text(echo('scripted-thinker', request));
    },
  },
  {
    id: 'scripted-small-window',
    ownedBy: 'gemini',
    describe: 'Has a context window of 4,096 tokens and refuses longer prompts; otherwise as scripted-tools.',
    contextWindow: 4096,
    maxTokens: 1024,
    *answer(request) {
      const prompt = countPrompt(request);
      if (prompt > 4096) yield refuse(contextTooLong(4096, prompt));
      else yield* callOrTell('scripted-small-window', request);
    },
  },
  painterModel,
  completer,
  {
    id: 'scripted-embedding',
    ownedBy: 'openai',
    describe: 'Not a chat model: listed only so that a client can tell.',
    endpoints: ['embeddings'],
    *answer() {
      yield refuse(notAChatModel);
    },
  },
  {
    id: 'scripted-image',
    ownedBy: 'openai',
    describe: 'Not a chat model: listed only so that a client can tell.',
    endpoints: ['image-generation'],
    *answer() {
      yield refuse(notAChatModel);
    },
  },
  {
    id: 'scripted-whisper-1',
    ownedBy: 'openai',
    describe: 'Not a chat model, which no list says: new-api lists speech and transcription like chat.',
    *answer() {
      yield refuse(notAChatModel);
    },
  },
];

const notAChatModel = {
  ...openaiError(
    null,
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
    'model',
  ),
  status: 404,
};

export function contextTooLong(window: number, prompt: number) {
  return openaiError(
    'context_length_exceeded',
    `This model's maximum context length is ${window} tokens. However, your messages resulted in ${prompt} tokens. Please reduce the length of the messages.`,
    'messages',
  );
}

/** The indexes are those of content blocks: 1, 3, 5 … */
function blockFragments(
  call: { id: string; name: string; arguments: string },
  position: number,
): CallFragment[] {
  const index = 1 + 2 * position;
  return [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
    ...argumentPieces(call.arguments).map((part): CallFragment => ({
      index,
      type: 'function',
      function: { arguments: part },
    })),
  ];
}
