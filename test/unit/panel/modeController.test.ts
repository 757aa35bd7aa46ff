import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { RelayCatalog } from '../../../src/chat/models/relayCatalog.ts';
import { ProjectModes } from '../../../src/chat/modes/projectModes.ts';
import type { Mode } from '../../../src/chat/modes/mode.ts';
import { ModeController } from '../../../src/panel/modeController.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

const reviewer: Mode = {
  ...{ id: '.github/agents/reviewer.agent.md', name: 'Reviewer', description: 'Reads changes' },
  ...{ isReadOnly: false, problem: 'Unknown tools: browse' },
};

function setUp() {
  let described: readonly Mode[] = [];
  let byDefault = 'agent';
  const defaults = new Emitter<void>();
  const modes = new ProjectModes(
    () => byDefault,
    async () => described,
  );
  const catalog = new RelayCatalog({
    listModels: async () => [{ id: 'claude-sonnet-5', name: 'Sonnet' }],
    merge: (listed) => listed,
  });
  const chat = new ChatController(chatDependencies({ modes }));
  const controller = new ModeController(chat, modes, catalog, {
    actingTools: () => [],
    ruleFor: () => undefined,
    onDidChange: (listener) => defaults.event(listener),
  });
  const heard: ToPage[] = [];
  const said: [string, boolean][] = [];
  controller.listen(
    (message) => heard.push(message),
    (text, sends) => void said.push([text, sends]),
  );
  return {
    ...{ catalog, chat, controller, heard, modes, said },
    describe: (all: readonly Mode[]) => (described = all),
    setDefault(id: string) {
      byDefault = id;
      defaults.fire();
    },
  };
}

describe('modes in the panel', () => {
  it('are the built-in ones and, once they were read, those of the project, with what does not hold', async () => {
    const { controller, describe, heard, modes } = setUp();
    describe([reviewer]);
    assert.deepEqual(
      controller.state().modes.map(({ name }) => name),
      ['Ask', 'Plan', 'Agent'],
    );
    assert.deepEqual(
      controller.state().modes.map(({ detail }) => detail),
      [
        'Reads files to answer; changes nothing',
        'Reads files and writes a plan that you can start',
        'Uses all enabled tools',
      ],
    );
    await handleCommand(controller.commands, { type: 'loadModes' });
    await modes.refresh();
    assert.ok(heard.some(({ type }) => type === 'permissionsChanged'));
    assert.deepEqual(controller.state().modes.at(-1), {
      ...{ id: reviewer.id, name: 'Reviewer', problem: 'Unknown tools: browse' },
      detail: '.github/agents/reviewer.agent.md · Reads changes',
    });
  });

  it('say so when the chosen one is not described any more', async () => {
    const { chat, controller, describe, modes } = setUp();
    describe([reviewer]);
    await modes.refresh();
    await handleCommand(controller.commands, { type: 'selectMode', modeId: reviewer.id });
    assert.equal(controller.state().mode.name, 'Reviewer');
    describe([]);
    await modes.refresh();
    assert.equal(chat.shown.choices.modeId, reviewer.id);
    assert.equal(controller.state().mode.problem, 'Not found. Only read-only tools run');
  });

  it('select the model that they name, as other assistants name it, or say that it is not listed', async () => {
    const { catalog, chat, controller, describe, modes } = setUp();
    await catalog.load();
    const named = { ...reviewer, problem: 'Unknown tools: x' };
    describe([{ ...named, models: ['o9', 'Claude Sonnet 5 (copilot)'] }]);
    await modes.refresh();
    await handleCommand(controller.commands, { type: 'selectMode', modeId: reviewer.id });
    assert.equal(chat.shown.choices.model, 'claude-sonnet-5');
    describe([{ ...named, models: ['o9'] }]);
    await modes.refresh();
    assert.equal(controller.state().mode.problem, 'Unknown tools: x. Model not listed: o9');
  });

  it('offer what they hand off to: another mode, and a message that is sent only if the file says so', async () => {
    const { chat, controller, describe, modes, said } = setUp();
    const step = { label: 'Fix it', agent: 'Plan', prompt: 'Fix what you found.', sends: true };
    describe([
      { ...reviewer, handoffs: [step, { ...step, label: 'Look', sends: false }, { ...step, agent: 'Gone' }] },
    ]);
    await modes.refresh();
    assert.deepEqual(controller.state().handoffs, []);
    await handleCommand(controller.commands, { type: 'selectMode', modeId: reviewer.id });
    assert.deepEqual(
      controller.state().handoffs.map(({ detail }) => detail),
      [
        'Switches to Plan and sends a message: Fix what you found.',
        'Switches to Plan and fills the message box: Fix what you found.',
        'Switches to Gone and sends a message: Fix what you found.',
      ],
    );
    const handOff = (index: number, label: string) =>
      handleCommand(controller.commands, { type: 'handOff', index, label });
    await assert.rejects(handOff(2, 'Fix it'), /"Fix it" leads to an agent that is not there/);
    await assert.rejects(handOff(1, 'Fix it'), /not there/);
    assert.equal(chat.shown.choices.modeId, reviewer.id);
    await handOff(0, 'Fix it');
    assert.equal(chat.shown.choices.modeId, 'plan');
    await handleCommand(controller.commands, { type: 'selectMode', modeId: reviewer.id });
    await handOff(1, 'Look');
    assert.deepEqual(said, [
      ['Fix what you found.', true],
      ['Fix what you found.', false],
    ]);
  });

  it('follow the setting until one is chosen, and approvals are apart from them', async () => {
    const { controller, heard, setDefault } = setUp();
    setDefault('plan');
    assert.equal(controller.state().mode.name, 'Plan');
    assert.equal(heard.at(-1)?.type, 'permissionsChanged');
    await handleCommand(controller.commands, { type: 'selectMode', modeId: 'ask' });
    await handleCommand(controller.commands, { type: 'selectApprovals', level: 'editsAllowed' });
    setDefault('agent');
    assert.equal(controller.state().mode.name, 'Ask');
    assert.equal(controller.state().approvals.name, 'Edits Allowed');
  });
});
