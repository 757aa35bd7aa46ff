// Tokens of a first request beside those of peers, and the share of each request that the vendor has cached.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { createToolBox } from '../../src/chat/calls/toolBox.ts';
import { ChatController } from '../../src/chat/chatController.ts';
import { systemText } from '../../src/chat/prompt/systemText.ts';
import type { ModelEvent, ModelRequest } from '../../src/relay/messages.ts';
import { toChatBody } from '../../src/relay/protocols/chatRequest.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { chatDependencies } from '../support/chatDependencies.ts';
import { emptyPrompt } from '../support/emptyPrompt.ts';
import { MemoryChatStore } from '../support/memoryChatStore.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { ownDefinitions } from '../support/ownDefinitions.ts';
import { row, type Row } from './rows.ts';

/** First requests of peers, measured in November 2026: system text and tools, in o200k tokens. */
const peers = { pi: 1167, Cline: 4456, opencode: 6714, Codex: 7685, Kilo: 12_699, 'Claude Code': 24_340 };

const rounds = 40;
const turns = 4;
const resultLines = 150;

export async function benchPrompt(): Promise<Row[]> {
  const roomy = await play(200_000);
  const tight = await play(32_000);
  const first = firstTokens();
  const others = Object.entries(peers).map(([name, tokens]) => `${name} ${tokens}`);
  return [
    row(
      `first request, system text and tools (${others.join(', ')})`,
      { value: first, unit: 'tok' },
      'at most 2,500',
      (value) => value <= 2500,
    ),
    ...shares(`${rounds} rounds in ${turns} turns, a reload, another day and knowledge chosen`, roomy),
    row(
      'the same in a window of 32,000 tokens: requests that begin otherwise',
      { value: breaks(tight), unit: '' },
      'at most 5 of 44',
      (value) => value <= 5,
    ),
  ];
}

function shares(name: string, sent: readonly Sent[]): Row[] {
  const before = sent.slice(0, -1);
  const known = sent.slice(1).map(({ body }, index) => commonLength(before[index]!.body, body));
  const identical = (100 * sum(known)) / sum(before.map(({ body }) => body.length));
  // Vendors cache in units of 128 tokens.
  const cached = sent.slice(1).map(({ body }, index) => {
    const tokens = encode(body.slice(0, known[index])).length;
    return Math.floor(tokens / 128) * 128;
  });
  const share = (100 * sum(cached)) / sum(before.map(({ body }) => encode(body).length));
  return [
    row(`identical beginning, ${name}`, { value: identical, unit: '%' }, 'at least 99 %', (v) => v >= 99),
    row(
      'tokens of the request before that a cache can give back',
      { value: share, unit: '%' },
      'at least 98 %',
      (v) => v >= 98,
    ),
  ];
}

const breaks = (sent: readonly Sent[]) =>
  sent.slice(1).filter(({ body }, index) => {
    const { body: before } = sent[index]!;
    return commonLength(before, body) < before.length;
  }).length;

interface Sent {
  /** Tools, then messages, as vendors read them, without the closing brackets. */
  body: string;
}

/** An agent that reads a file in each round; the window is reloaded halfway. */
async function play(contextWindow: number): Promise<Sent[]> {
  const sent: Sent[] = [];
  const perTurn = rounds / turns;
  let calls = 0;
  let day = 10;
  const streamModel = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { tools, messages } = toChatBody(request) as { tools: unknown; messages: object[] };
    sent.push({ body: [tools, ...messages].map((each) => JSON.stringify(each)).join('\n') + '\n' });
    const isDone = calls > 0 && calls % perTurn === 0 && request.messages.at(-1)?.role === 'tool';
    yield { type: 'reasoningAdded', text: `The next step is number ${calls}.` };
    if (isDone) yield { type: 'textAdded', text: 'This turn is done.' };
    else {
      const call = { id: `call_${++calls}`, name: 'read_file', arguments: `{"path":"src/file${calls}.ts"}` };
      yield { type: 'toolCallsCompleted', calls: [call] };
    }
    yield { type: 'modelFinished', reason: isDone ? 'stop' : 'tool_calls' };
  };
  const files = Array.from({ length: rounds + 1 }, (_, n) => [`/work/src/file${n}.ts`, codeOf(n)] as const);
  const workspace = new MemoryWorkspace(Object.fromEntries(files));
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1 });
  const own = workspaceTools(deps);
  const parts = chatDependencies({
    streamModel,
    store: new MemoryChatStore(),
    modelLimits: () => ({ contextWindow }),
    hasPlatform: () => true,
    prompt: async () => ({ ...emptyPrompt, systemText, facts: async () => [`Date: 2026-11-${++day}`] }),
  });
  const create = () =>
    new ChatController({
      ...parts,
      options: () => ({
        instructions: '',
        stream: true,
        maxToolRounds: 100,
        knowledgeSearch: 'model',
        fallbackModels: [],
      }),
      tools: async ({ groundingTool, permissions }) =>
        createToolBox(
          () => new ToolSet([...own, groundingTool()].filter((tool) => tool !== undefined)),
          { ruleFor: () => undefined, ask: async () => ({ allow: true }) },
          permissions,
          (signal) => ({ signal }),
        ),
    });
  let chat = create();
  for (let turn = 1; turn <= turns; turn++) {
    const end = await chat.shown.submit(`Go on with part ${turn}.`);
    if (end?.reason !== 'answered') throw new Error(`Turn ${turn} ended with ${end?.reason}.`);
    if (turn === 1) chat.shown.choices.chooseKnowledge([{ id: 'd', name: 'Harbour' }]);
    if (turn !== turns / 2) continue;
    const { id } = chat.shown.conversation;
    chat = create();
    await chat.openChat(id);
  }
  return sent;
}

function firstTokens(): number {
  const tools = ownDefinitions();
  const { tools: sent } = toChatBody({ model: 'm', messages: [], tools, stream: true });
  return encode(systemText(tools.map(({ name }) => name))).length + encode(JSON.stringify(sent)).length;
}

function codeOf(n: number): string {
  return Array.from(
    { length: resultLines },
    (_, line) => `const value${line} = read(${n}, "src/part");`,
  ).join('\n');
}

function commonLength(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
