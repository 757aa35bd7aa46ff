import assert from 'node:assert/strict';
import { createToolBox, type ToolBox } from '../../../../src/chat/calls/toolBox.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { attachInstructions } from '../../../../src/chat/instructions/attachInstructions.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { chatEventSchema } from '../../../../src/chat/store/events.ts';
import { InstructionFiles } from '../../../../src/chat/instructions/instructionFiles.ts';
import type { ModelEvent, ModelRequest } from '../../../../src/relay/messages.ts';
import { createToolDependencies, workspaceTools } from '../../../../src/tools/allTools.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { emptyPrompt } from '../../../support/emptyPrompt.ts';
import { madeCall } from '../../../support/madeCall.ts';
import { MemoryChatStore } from '../../../support/memoryChatStore.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

/** A project with rules, and a model that reads all files a message names at once, then answers. */
function setUp(entries: Record<string, string>, contextWindow?: number) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1 });
  const files = new InstructionFiles(deps);
  const off: string[] = [];
  const requests: ModelRequest[] = [];
  let calls = 0;
  const streamModel = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    requests.push(request);
    yield { type: 'requestSent' };
    const last = request.messages.at(-1)!;
    const paths = last.role === 'user' ? (last.content.match(/\S+\.\w+$/gm) ?? []) : [];
    if (paths.length === 0) yield { type: 'textAdded', text: 'Done.' };
    else {
      yield {
        type: 'toolCallsCompleted',
        calls: paths.map((path) => ({
          ...{ id: `c${++calls}`, name: 'read_file' },
          arguments: JSON.stringify({ path }),
        })),
      };
    }
    yield { type: 'modelFinished', reason: paths.length > 0 ? 'tool_calls' : 'stop' };
  };
  const parts = chatDependencies({
    streamModel,
    store: new MemoryChatStore(),
    modelLimits: () => (contextWindow === undefined ? {} : { contextWindow }),
    prompt: async () => ({
      ...emptyPrompt,
      instructions: {
        ofWorkspace: () => files.ofWorkspace(),
        of: (paths) => files.of(paths),
        off: () => off,
      },
    }),
  });
  const create = () =>
    new ChatController({
      ...parts,
      tools: async ({ permissions }) =>
        createToolBox(
          () => new ToolSet(workspaceTools(deps)),
          { ruleFor: () => undefined, ask: async () => ({ allow: true }) },
          permissions,
          (signal) => ({ signal }),
        ),
    });
  /** Occurrences of each file's rules in the newest request. */
  const sent = (...words: string[]) => {
    const text = requests
      .at(-1)!
      .messages.map(({ content }) => content)
      .join('\n');
    return words.map((word) => text.split(word).length - 1);
  };
  return { chat: create(), create, off, requests, sent, workspace };
}

describe('instructions of the project', () => {
  const project = {
    '/work/AGENTS.md': 'ROOT-RULE',
    '/work/src/AGENTS.md': 'SOURCE-RULE',
    '/work/src/a.ts': 'a',
    '/work/src/b.ts': 'b',
  };

  it('stand in the system text, and those of a folder behind the first result from it, once', async () => {
    const { chat, requests, sent } = setUp(project);
    await chat.shown.submit('src/a.ts\nsrc/b.ts');
    assert.match(requests[0]!.messages[0]!.content, /<instructions-\w+ path="AGENTS\.md">\nROOT-RULE\n<\//);
    assert.deepEqual(sent('ROOT-RULE', 'SOURCE-RULE'), [1, 1]);
    const [first] = requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    assert.match(
      first!.content,
      /\ta\n\n<instructions-\w+ path="src\/AGENTS\.md">\nSOURCE-RULE\n<\/instructions-\w+>$/,
    );
    await chat.shown.submit('Again src/b.ts');
    assert.deepEqual(sent('ROOT-RULE', 'SOURCE-RULE'), [1, 1]);
  });

  it('are frozen: a file that changes, and a reload, change nothing of what was sent', async () => {
    const { chat, create, requests, sent, workspace } = setUp(project);
    await chat.shown.submit('src/a.ts');
    const before = requests.at(-1)!.messages;
    workspace.memory.set('/work/AGENTS.md', 'OTHER-RULE');
    const again = create();
    await again.openChat(chat.shown.conversation.id);
    await again.shown.submit('src/b.ts');
    assert.deepEqual(requests.at(-1)!.messages.slice(0, before.length), before);
    assert.deepEqual(sent('ROOT-RULE', 'OTHER-RULE', 'SOURCE-RULE'), [1, 0, 1]);
  });

  it('are read anew after a summary, and attached again', async () => {
    const { chat, requests, sent, workspace } = setUp(project, 6000);
    await chat.shown.submit('src/a.ts');
    workspace.memory.set('/work/AGENTS.md', 'OTHER-RULE');
    for (let turn = 0; turn < 8; turn++) await chat.shown.submit(`${turn} ${'word '.repeat(700)}`);
    assert.ok(chat.shown.conversation.all.some(({ type }) => type === 'summary'));
    await chat.shown.submit('src/a.ts');
    assert.deepEqual(sent('ROOT-RULE', 'OTHER-RULE', 'SOURCE-RULE'), [0, 1, 1]);
    assert.ok(requests.length > 10);
  });

  it('are not sent when they are switched off', async () => {
    const { chat, off, sent } = setUp(project);
    off.push('src/AGENTS.md');
    await chat.shown.submit('src/a.ts');
    assert.deepEqual(sent('ROOT-RULE', 'SOURCE-RULE'), [1, 0]);
    off.push('AGENTS.md');
    await chat.shown.submit('src/b.ts');
    assert.deepEqual(sent('ROOT-RULE', 'SOURCE-RULE'), [0, 0]);
    off.length = 0;
    await chat.shown.submit('src/b.ts');
    assert.deepEqual(sent('ROOT-RULE', 'SOURCE-RULE'), [1, 1]);
  });

  it('come back from disk as they were', () => {
    const files = [{ path: 'AGENTS.md', text: 'x', cutFrom: 9 }];
    const event = { type: 'instructionsRead' as const, files, off: ['CLAUDE.md'] };
    assert.deepEqual(chatEventSchema.parse(JSON.parse(JSON.stringify(event))), event);
  });
});

describe('tools that attach instructions', () => {
  it('let a call say what it does while it runs', async () => {
    const lines: string[] = [];
    const call = madeCall('run_command');
    const box: ToolBox = {
      definitions: () => [],
      prepare: () => ({
        ...{ call, isRead: false },
        run: async (_signal, onState, progress) => {
          await onState('running');
          progress?.onOutput?.('1 of 2');
          return { state: 'done', content: '' };
        },
      }),
    };
    const ready = attachInstructions(box, new Conversation('c'), async () => []).prepare(call);
    assert.ok('run' in ready);
    await ready.run(AbortSignal.timeout(1000), async () => {}, {
      onOutput: (text) => void lines.push(text),
      onWorked: () => undefined,
    });
    assert.deepEqual(lines, ['1 of 2']);
  });
});
