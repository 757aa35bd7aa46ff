import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ModelEvent } from '../../../src/relay/messages.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { emptyPrompt } from '../../support/emptyPrompt.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { toldParts } from '../../support/toldParts.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

const answer = (text: string): ModelEvent[] => [
  { type: 'textAdded', text },
  { type: 'modelFinished', reason: 'stop' },
];

function setUp() {
  const { streamModel } = scriptedModel(answer('One.'), answer('Two.'));
  const chat = new ChatController(
    chatDependencies({
      streamModel,
      options: { instructions: 'Be brief.' },
      prompt: async () => ({
        ...emptyPrompt,
        systemText: (names) => `OWN-TEXT for ${names.length} tools`,
        facts: async () => ['Date: 2026-11-22'],
        instructions: {
          ...emptyPrompt.instructions,
          ofWorkspace: async () => [{ path: 'AGENTS.md', text: 'ROOT-RULE with ``` in it' }],
          off: () => parts.host.instructionsOff,
        },
      }),
      tools: { read: { run: () => 'x' } },
    }),
  );
  const parts = toldParts(chat);
  const heard: ToPage[] = [];
  parts.controller.listen((message) => heard.push(message));
  const told = () => {
    const last = heard.at(-1);
    assert.ok(last?.type === 'toldChanged');
    return last.told.map(({ label, detail, isOn }) => [label, detail, isOn]);
  };
  return { ...parts, chat, heard, told };
}

describe('ToldController', () => {
  it('shows the active editor with its selection, and nothing where there is none', () => {
    const { changes, controller, editor, heard, told } = setUp();
    controller.begin();
    assert.deepEqual(heard, []);
    editor.active = { path: 'src/a.ts', lines: { first: 3, last: 9 } };
    changes.fire();
    assert.deepEqual(told(), [['a.ts', 'lines 3–9', true]]);
    changes.fire();
    assert.equal(heard.length, 1, 'the same is not said again');
    delete editor.active;
    changes.fire();
    assert.deepEqual(told(), []);
  });

  it('shows the instruction files that are sent with their size, and switches one off and on', async () => {
    const { chat, controller, host, told } = setUp();
    await chat.shown.submit('Hello');
    controller.show();
    assert.deepEqual(told(), [['AGENTS.md', 'about 8 tokens', true]]);
    await handleCommand(controller.commands, { type: 'switchTold', id: 'AGENTS.md', isOn: false });
    assert.deepEqual(host.instructionsOff, ['AGENTS.md']);
    assert.equal(told()[0]?.[2], false);
    await chat.shown.submit('Again');
    assert.deepEqual(chat.shown.conversation.instructions, []);
    controller.show();
    assert.deepEqual(told(), [['AGENTS.md', 'about 8 tokens', false]]);
    await handleCommand(controller.commands, { type: 'switchTold', id: 'AGENTS.md', isOn: true });
    assert.deepEqual(host.instructionsOff, []);
    // Listed, although it is sent only with the next message.
    assert.deepEqual(told(), [['AGENTS.md', 'about 8 tokens', true]]);
    await chat.startNewChat();
    controller.show();
    assert.deepEqual(told(), []);
  });

  it('shows what the first message takes along while it is typed, and leaves out what is switched off', async () => {
    const { chat, controller, heard, told } = setUp();
    controller.begin();
    await Promise.all([controller.onTyping(), controller.onTyping()]);
    assert.deepEqual(told(), [['AGENTS.md', 'about 8 tokens', true]]);
    assert.equal(heard.length, 1);
    await handleCommand(controller.commands, { type: 'switchTold', id: 'AGENTS.md', isOn: false });
    await chat.shown.submit('Hello');
    assert.deepEqual(chat.shown.conversation.instructions, []);
    controller.show();
    assert.deepEqual(told(), [['AGENTS.md', 'about 8 tokens', false]]);
    await chat.startNewChat();
    controller.show();
    assert.deepEqual(told(), [['AGENTS.md', undefined, false]]);
  });

  it('attaches what the setting wants of the active editor, unless that is switched off', async () => {
    const { controller, editor } = setUp();
    editor.sources = [{ type: 'path', path: '/work/a.ts', isEditor: true }];
    assert.equal(controller.sourcesToAttach([]).length, 1);
    assert.equal(controller.sourcesToAttach([...editor.sources]).length, 0);
    await handleCommand(controller.commands, { type: 'switchTold', id: 'activeEditor', isOn: false });
    assert.equal(controller.sourcesToAttach([]).length, 0);
  });

  it('shows all that was sent for an answer, and nothing of what came after', async () => {
    const { chat, controller, requests } = setUp();
    await chat.shown.submit('First question');
    await chat.shown.submit('Second question');
    const [first, second] = chat.shown.conversation.all.filter(({ type }) => type === 'answer');
    await handleCommand(controller.commands, { type: 'showSent', id: first!.id });
    const { page = '', raw = '' } = requests[0] ?? {};
    for (const part of [
      'OWN-TEXT for 1 tools',
      'Be brief.',
      'ROOT-RULE with ``` in it',
      'Date: 2026-11-22',
      'First question',
    ]) {
      assert.ok(page.includes(part), part);
      assert.ok(raw.includes(part), part);
    }
    assert.match(page, /<summary>read <small>/);
    assert.doesNotMatch(page, /One\.|Second question/);
    await handleCommand(controller.commands, { type: 'showSent', id: second!.id });
    assert.match(requests[1]?.page ?? '', /One\.[^]*Second question/);
    await handleCommand(controller.commands, { type: 'showSent', id: 'gone' });
    assert.equal(requests.length, 2);
  });
});
