import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { readAgents } from '../../../src/chat/project/agentFiles.ts';
import { readPrompts, type PromptFile } from '../../../src/chat/project/promptFiles.ts';
import type { ToolItem } from '../../../src/chat/conversation/items.ts';
import type { PromptController, PromptHost } from '../../../src/panel/promptController.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { promptParts } from '../../support/promptParts.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { noUserFiles } from '../../support/userFiles.ts';
import { toolsUnderTest } from '../../support/toolsUnderTest.ts';
import { mentionAt, withMention } from '../../../src/webview/composer/mentionTyping.ts';

const known = ['read_file', 'edit_file', 'create_file', 'search_text', 'get_diagnostics'];

const prepared = async (controller: PromptController, text: string, hasAttachments = false) =>
  (await controller.read(text)).prepare(hasAttachments);

const review = `---
description: Reviews a file
argument-hint: what to look at
agent: Plan
model: ['GPT-9', 'Claude Sonnet 5 (copilot)']
tools: [edit/createFile, browse]
---
Review \${file} for \${input:topic:speed, safety}; topic \${input:topic}. Selected: \${selection}. Keep \${HOME}.
`;

async function setUp(host: Partial<PromptHost> = {}) {
  const under = toolsUnderTest({ '/work/.github/prompts/review.prompt.md': review, '/work/a.ts': 'a' });
  const prompts = await readPrompts(under.dependencies, noUserFiles(under.dependencies), known);
  const call = (name: string, input: object) =>
    ({ type: 'toolCallsCompleted', calls: [{ id: name, name, arguments: JSON.stringify(input) }] }) as const;
  const { streamModel, requests } = scriptedModel(
    [call('read_file', { path: 'a.ts' }), { type: 'modelFinished', reason: 'tool_calls' }],
    [call('create_file', { path: 'b.ts', content: '' }), { type: 'modelFinished', reason: 'tool_calls' }],
    [
      { type: 'textAdded', text: 'Done.' },
      { type: 'modelFinished', reason: 'stop' },
    ],
  );
  const chat = new ChatController({ ...chatDependencies({ streamModel }), tools: under.tools });
  const controller = promptParts(prompts, {
    editorVariables: async (names) =>
      Object.fromEntries(names.filter((name) => name !== 'HOME').map((name) => [name, `<${name}>`])),
    fill: async (_title, inputs) =>
      Object.fromEntries(inputs.map(({ name, placeholder }) => [name, `${name}? ${placeholder}`])),
    ...host,
  });
  return { ...under, chat, controller, prompts, requests };
}

describe('our own commands after a slash', () => {
  const code = { text: 'Explain the attached code.', sources: [{ type: 'changes' as const }] };

  it('are offered after those of the project, which keep their names', async () => {
    const { controller } = await setUp();
    const labels = (await controller.find('')).map(({ label }) => label);
    assert.deepEqual(labels, [
      ...['review', 'explain', 'fix', 'tests', 'docs', 'commit', 'compact', 'new', 'export'],
    ]);
    assert.match((await controller.find('review'))[0]?.detail ?? '', /review\.prompt\.md$/);
    assert.equal((await promptParts().find('rev'))[0]?.detail, 'Review your changes');
  });

  it('ask about the open code, or about what is attached', async () => {
    const controller = promptParts([], { questionFor: async () => code });
    assert.deepEqual(await prepared(controller, '/explain the loop'), {
      message: { text: 'Explain the attached code.\n\nthe loop', typed: '/explain the loop' },
      sources: code.sources,
    });
    const attached = await prepared(controller, '/explain', true);
    assert.deepEqual([attached?.message.text, attached?.sources], [code.text, []]);
  });

  it('say what to do where no code is open', async () => {
    await assert.rejects(prepared(promptParts(), '/fix'), /Open a file, or attach the code.*"\/fix"/);
    const attached = await prepared(promptParts(), '/fix', true);
    assert.equal(attached?.message.text, 'Fix the selected code and its problems');
  });

  it('are actions only as the whole message, and only if no file has their name', async () => {
    const ran: string[] = [];
    const host: Partial<PromptHost> = { run: async (action) => ran.push(action) };
    const controller = promptParts([], host);
    assert.equal((await controller.read(' /compact ')).action, 'compactConversation');
    for (const text of ['/compact now', 'compact', '/explain', '/nothing']) {
      assert.equal((await controller.read(text)).action, undefined, text);
    }
    await controller.run('newChat');
    assert.deepEqual(ran, ['newChat']);
    const prompt: PromptFile = { name: 'commit', file: 'commit.prompt.md', models: [], body: 'By rule.' };
    const own = promptParts([prompt], host);
    assert.equal((await own.read('/commit')).action, undefined);
    assert.equal((await prepared(own, '/commit'))?.message.text, 'By rule.');
  });
});

describe('a message that begins with a slash', () => {
  it('has prompts and skills read once', async () => {
    let reads = 0;
    const controller = promptParts([], { skills: async () => (reads++, []) });
    const slash = await controller.read('/nothing at all');
    await slash.prepare(false);
    assert.equal(reads, 1);
  });
});

describe('skills after a slash', () => {
  it('are offered with what they are for, and become the message, with what else was typed', async () => {
    const deploy = {
      ...{ name: 'deploy', folder: '.agents/skills/deploy', argumentHint: 'where', description: 'Ships it' },
      text: async () => '<deploy>',
    };
    const controller = promptParts([], {
      skills: async () => [deploy, { ...deploy, folder: 'other/deploy' }],
    });
    assert.deepEqual(
      (await controller.find('dep')).map(({ label, detail }) => [label, detail]),
      [
        ['deploy', 'where · Ships it · .agents/skills/deploy'],
        ['other/deploy', 'where · Ships it · other/deploy'],
      ],
    );
    assert.deepEqual(await prepared(controller, '/deploy to staging'), {
      message: { text: '<deploy>\n\nto staging', typed: '/deploy to staging' },
    });
  });
});

describe('prompt files in the panel', () => {
  it('are read with what they ask for; what is unknown is named', async () => {
    const { prompts, dependencies, workspace } = await setUp();
    const [{ body: _body, ...prompt }] = prompts as [PromptFile];
    assert.deepEqual(prompt, {
      ...{ name: 'review', file: 'review.prompt.md' },
      models: ['GPT-9', 'Claude Sonnet 5 (copilot)'],
      description: 'Reviews a file',
      argumentHint: 'what to look at',
      agent: 'Plan',
      tools: ['create_file'],
      problem: 'Unknown tools: browse',
    });
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.deepEqual(await readPrompts(dependencies, noUserFiles(dependencies), known), []);
  });

  it('are offered after a slash at the beginning of the message, and only there', async () => {
    const { controller } = await setUp();
    assert.deepEqual(await controller.find('rev'), [
      {
        ...{ id: 'prompt:review', kind: 'prompt', label: 'review' },
        detail: 'what to look at · Reviews a file · Unknown tools: browse · review.prompt.md',
      },
    ]);
    assert.deepEqual(await controller.find('xyz'), []);
    const mention = mentionAt('/rev', 4);
    assert.deepEqual(mention, { start: 0, query: 'rev', sign: '/' });
    assert.deepEqual(withMention('/rev', mention, 'review'), { text: '/review ', caret: 8 });
    for (const text of ['a /rev', '/rev iew', '//'])
      assert.ok(mentionAt(text, text.length)?.sign !== '/' || text === '//');
  });

  it('are each one word with nothing hidden, with their files, and the one that is chosen is sent', async () => {
    const { dependencies } = toolsUnderTest({
      '/work/.github/prompts/a.prompt.md': '---\nname: "Ask\u202e  me"\n---\nFirst',
      '/work/.github/prompts/b.prompt.md': '---\nname: review\n---\nSecond',
      '/work/.github/prompts/review.prompt.md': 'Third',
    });
    const prompts = await readPrompts(dependencies, noUserFiles(dependencies), known);
    const controller = promptParts(prompts);
    const offered = (await controller.find('')).filter(({ detail }) => detail?.endsWith('.md'));
    assert.deepEqual(
      offered.map(({ label, detail }) => [label, detail]),
      [
        ['Ask⟨U+202E⟩-me', 'a.prompt.md'],
        ['review', 'b.prompt.md'],
        ['review.prompt.md', 'review.prompt.md'],
      ],
    );
    const sent = await Promise.all(offered.map(({ label }) => prepared(controller, `/${label}`)));
    assert.deepEqual(
      sent.map((message) => message?.message.text),
      ['First', 'Second', 'Third'],
    );
  });

  it('mean a built-in mode by its name, whatever the project calls its agents', async () => {
    const { dependencies } = toolsUnderTest({
      '/work/.github/agents/ask.agent.md': '---\nname: Ask\n---\n',
      '/work/.github/agents/b.agent.md': '---\nname: Looker\n---\n',
      '/work/.github/prompts/a.prompt.md': '---\nagent: ask\n---\nA',
      '/work/.github/prompts/b.prompt.md': '---\nagent: looker\n---\nB',
    });
    const agents = await readAgents(dependencies, noUserFiles(dependencies), known);
    const controller = promptParts(
      await readPrompts(dependencies, noUserFiles(dependencies), known),
      {},
      agents,
    );
    assert.equal((await prepared(controller, '/a'))?.message.modeId, 'ask');
    assert.equal((await prepared(controller, '/b'))?.message.modeId, '.github/agents/b.agent.md');
  });

  it('become the message: with inputs and the editor filled in, in their mode, by their model', async () => {
    const { controller } = await setUp();
    assert.deepEqual((await prepared(controller, '/review and be quick'))?.message, {
      text:
        'Review <file> for topic? speed, safety; topic topic? speed, safety. Selected: <selection>. Keep ${HOME}.' +
        '\n\nand be quick',
      typed: '/review and be quick',
      ...{ tools: ['create_file'], modeId: 'plan', modelId: 'claude-sonnet-5' },
    });
  });

  it('wait like any message, and choose nothing before their turn', async () => {
    const { chat, controller, requests } = await setUp();
    chat.shown.choices.selectApprovals('editsAllowed');
    const ended = chat.shown.submit('Read a');
    const sent = (await prepared(controller, '/review'))?.message;
    assert.ok(sent);
    // It names another model than the one that answers, so it waits for the end.
    assert.equal(chat.shown.queue.add({ ...sent, steers: true }), true);
    assert.deepEqual(
      [chat.shown.choices.modeId, chat.shown.choices.model, chat.shown.conversation.queue[0]?.typed],
      ['agent', 'm', '/review'],
    );
    await ended;
    while (chat.shown.isRunning) await new Promise(setImmediate);
    assert.deepEqual([chat.shown.choices.modeId, chat.shown.choices.model], ['plan', 'claude-sonnet-5']);
    assert.deepEqual(
      requests.map(({ model }) => model),
      ['m', 'm', 'm', 'claude-sonnet-5'],
    );
    const said = chat.shown.conversation.all.flatMap((item) => (item.type === 'user' ? [item.tools] : []));
    assert.deepEqual(said, [undefined, ['create_file']]);
  });

  it('leave the message alone that names none, and one whose question is dismissed', async () => {
    const { chat, controller } = await setUp({ fill: async () => undefined });
    assert.deepEqual(await prepared(controller, '/etc/hosts is odd'), {
      message: { text: '/etc/hosts is odd' },
    });
    assert.equal(await prepared(controller, '/review'), undefined);
    assert.equal(chat.shown.choices.modeId, 'agent');
  });

  it('are not sent without what they refer to', async () => {
    const { chat, controller } = await setUp({ editorVariables: async () => ({ file: undefined }) });
    await assert.rejects(prepared(controller, '/review'), /"\/review" refers to \$\{file\}\. Open a file/);
    assert.equal(chat.shown.choices.modeId, 'agent');
  });

  it('run only the tools that they name, for their message alone', async () => {
    const { chat, requests } = await setUp();
    chat.shown.choices.selectMode('agent');
    chat.shown.choices.selectApprovals('editsAllowed');
    await chat.shown.submit('Make b', { tools: ['create_file'] });
    const results = chat.shown.conversation.all.filter((item): item is ToolItem => item.type === 'tool');
    assert.deepEqual(
      results.map(({ name, outcome }) => [name, outcome?.state]),
      [
        ['read_file', 'denied'],
        ['create_file', 'done'],
      ],
    );
    assert.match(
      requests[0]?.messages[0]?.content ?? '',
      /For this message only these tools are run: create_file\./,
    );
  });
});
