import assert from 'node:assert/strict';
import { Memory } from '../../../src/settings/memory.ts';
import { FileMoves } from '../../../src/tools/review/fileMoves.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { createMemento } from '../../support/memento.ts';

describe('moves of files', () => {
  it('are followed after a reload, the newest two hundred', () => {
    const memento = createMemento();
    const afterReload = () => new FileMoves(new Memory(createMemento(), memento));
    afterReload().add('/work/a', '/work/b');
    assert.equal(afterReload().follow('/work/a'), '/work/b');
    const moves = afterReload();
    for (let n = 0; n < 199; n++) moves.add(`/work/${n}`, `/work/${n}-moved`);
    assert.equal(afterReload().follow('/work/a'), '/work/b');
    moves.add('/work/c', '/work/d');
    assert.deepEqual(
      ['/work/a', '/work/c'].map((path) => afterReload().follow(path)),
      ['/work/a', '/work/d'],
    );
  });
});

describe('Memory', () => {
  let everywhere: ReturnType<typeof createMemento>;
  let workspace: ReturnType<typeof createMemento>;
  let memory: Memory;
  let clock: ManualClock;

  beforeEach(() => {
    everywhere = createMemento();
    workspace = createMemento();
    clock = new ManualClock();
    memory = new Memory(everywhere, workspace, clock);
  });

  it('saves what is unsent apart from what windows share, at a pause, and at once when it is sent', async () => {
    const saved: unknown[] = [];
    memory = new Memory(everywhere, workspace, clock, async (unsent) => void saved.push(unsent));
    memory.draft = 'Hel';
    memory.draft = 'Hello';
    memory.attachments = [{ type: 'changes' }];
    assert.deepEqual(saved, []);
    clock.advance(400);
    memory.branchTarget = { id: 'm' };
    memory.draft = '';
    const attachments = [{ type: 'changes' }];
    const target = { id: 'm' };
    memory.edits = [{ id: 'n' }];
    clock.advance(400);
    memory.edits = undefined;
    assert.deepEqual(saved, [
      { text: 'Hello', attachments },
      { text: 'Hello', attachments, target },
      { text: '', attachments, target },
      { text: '', attachments, target, edits: [{ id: 'n' }] },
      { text: '', attachments, target },
    ]);
    await memory.flush();
    assert.equal(saved.length, 5, 'nothing waits');
  });

  it('keeps what it knows of models apart by origin', () => {
    memory.setLastModel('https://a', 'one');
    const profiles = {
      one: { facts: { contextWindow: { value: 8000, source: 'refusal', atMs: 1 } } },
    } as const;
    memory.setProfiles('https://a', profiles);
    memory.addUnlistedModel('https://a', 'one');
    memory.addUnlistedModel('https://a', 'one');
    assert.equal(memory.lastModel('https://a'), 'one');
    assert.deepEqual(memory.profiles('https://a'), profiles);
    assert.deepEqual(memory.unlistedModels('https://a'), ['one']);
    assert.equal(memory.lastModel('https://b'), undefined);
    assert.deepEqual(memory.profiles('https://b'), {});
    assert.deepEqual(memory.unlistedModels('https://b'), []);
  });

  it('has what was set in the next window, what is of the workspace only there', async () => {
    const ofWorkspace = {
      draft: 'half a question',
      attachments: [{ type: 'changes' }],
      branchTarget: { id: 'm' },
      edits: [{ id: 'n' }],
      chatId: 'c1',
      pageHosts: ['a.example'],
      knowledgeGrants: [{ base: 'b' }],
      fileMoves: [{ from: '/a', to: '/b' }],
      unseenTurns: { c1: { end: 'answered' } },
      editorTools: ['a.b/tool'],
      toolsOff: ['run_command'],
      commandRules: [{ line: 'npm test', folder: '/work' }],
      isActiveEditorOff: true,
      instructionsOff: ['/work/AGENTS.md'],
    };
    const ofUser = {
      offeredApps: ['app'],
      knowledgePrograms: [{ id: 'p' }],
      suggestionModel: 'small',
      wasToldOfLines: true,
      isSetupSkipped: true,
      refusingTools: ['a.b/tool@1'],
      mcpServerTools: [['server', 'tool']],
      favourites: ['large'],
    };
    const partsOf = (held: Memory, names: object) =>
      Object.fromEntries(Object.keys(names).map((name) => [name, held[name as keyof Memory]]));
    Object.assign(memory, ofWorkspace);
    await memory.flush();
    assert.deepEqual(everywhere.keys(), []);
    Object.assign(memory, ofUser);
    const reopened = new Memory(everywhere, workspace);
    assert.deepEqual(partsOf(reopened, ofWorkspace), ofWorkspace);
    const elsewhere = new Memory(everywhere, createMemento());
    assert.deepEqual(partsOf(elsewhere, ofUser), ofUser);
    assert.deepEqual([elsewhere.draft, elsewhere.commandRules, elsewhere.pageHosts], ['', [], []]);
  });

  it('sends a key unencrypted only where that was allowed', () => {
    assert.equal(memory.isUnencryptedAllowed('http://a'), false);
    for (const origin of ['http://a', 'http://b', 'http://a']) memory.allowUnencrypted(origin);
    const allowed = ['http://a', 'http://b', 'http://c'].map((origin) => memory.isUnencryptedAllowed(origin));
    assert.deepEqual(allowed, [true, true, false]);
  });

  it('gives the prefixes of older versions once', () => {
    assert.deepEqual(memory.takeAllowedCommands(), []);
    void workspace.update('allowedCommands', ['npm test']);
    assert.deepEqual(
      [1, 2].map(() => memory.takeAllowedCommands()),
      [['npm test'], []],
    );
  });

  it('has the five models that were used last, the newest first', () => {
    for (const id of ['1', '2', '3', '4', '5', '6', '3']) memory.useModel(id);
    assert.deepEqual(memory.recentModels, ['3', '6', '5', '4', '2']);
  });

  it('knows the knowledge bases that were added by hand, by platform', async () => {
    const added = (id: string) => ({ id, name: id });
    assert.deepEqual(memory.addedBases('https://p'), []);
    await memory.setAddedBases('https://p', [added('a'), added('b')]);
    await memory.setAddedBases('https://q', [added('a')]);
    await memory.removeAddedBase('https://p', 'a');
    await memory.removeAddedBase('https://p', 'none');
    const idsOf = (origin: string) => memory.addedBases(origin).map(({ id }) => id);
    assert.deepEqual([idsOf('https://p'), idsOf('https://q')], [['b'], ['a']]);
  });

  it('writes a draft when nothing was typed for a moment, and forgets one that was sent at once', () => {
    const written: unknown[] = [];
    const update = workspace.update.bind(workspace);
    workspace.update = (key, value) => {
      written.push([key, value]);
      return update(key, value);
    };
    for (const text of ['H', 'He', 'Hel']) {
      memory.draft = text;
      clock.advance(100);
    }
    memory.attachments = [{ type: 'text' }];
    assert.deepEqual([written, memory.draft, memory.attachments], [[], 'Hel', [{ type: 'text' }]]);
    clock.advance(400);
    assert.deepEqual(written, [
      ['draft', 'Hel'],
      ['attachments', [{ type: 'text' }]],
    ]);
    memory.draft = 'Hello';
    memory.draft = '';
    clock.advance(1000);
    assert.deepEqual(written.slice(2), [['draft', undefined]]);
    assert.equal(memory.draft, '');
  });

  it('leaves nothing behind of what is empty', () => {
    memory.draft = 'x';
    memory.draft = '';
    memory.isActiveEditorOff = true;
    memory.isActiveEditorOff = false;
    memory.attachments = [{ type: 'file' }];
    memory.attachments = [];
    memory.edits = [{ id: 'n' }];
    memory.edits = undefined;
    memory.unseenTurns = { c1: { end: 'answered' } } as never;
    memory.unseenTurns = {};
    assert.deepEqual(workspace.keys(), []);
    assert.equal(clock.pending, 0, 'nothing waits');
  });

  it('has the five knowledge bases that were used last, the newest first', () => {
    for (const id of ['1', '2', '3', '4', '5', '6', '3']) memory.useBase('https://p', id);
    assert.deepEqual(memory.recentBases('https://p'), ['3', '6', '5', '4', '2']);
    assert.deepEqual(memory.recentBases('https://other'), []);
    memory.useBase('https://other', '1');
    assert.equal(memory.recentBases('https://p').length, 5);
    assert.deepEqual(memory.recentBases('https://other'), ['1']);
  });

  it('forgets what is set for a knowledge base when it is no longer set', () => {
    const rule = { mode: 'automatic' } as const;
    const settings = { topK: 3 };
    const inputs = { language: 'en' };
    for (const base of ['a', 'b']) {
      memory.setProcessRule('https://p', base, rule);
      memory.setSearchSettings('https://p', base, settings);
      memory.setPipelineInputs('https://p', base, inputs);
    }
    memory.setProcessRule('https://p', 'a', undefined);
    memory.setSearchSettings('https://p', 'a', undefined);
    memory.setPipelineInputs('https://p', 'a', undefined);
    const setFor = (base: string) => [
      memory.processRule('https://p', base),
      memory.searchSettings('https://p', base),
      memory.pipelineInputs('https://p', base),
    ];
    assert.deepEqual([setFor('a'), setFor('b')], [Array(3).fill(undefined), [rule, settings, inputs]]);
    assert.doesNotMatch(JSON.stringify(everywhere.get('processRules')), /"a"/);
  });

  it('adds what is learnt of a platform to what is known', () => {
    memory.dialects.learn('https://p', { paths: 'hyphen' });
    memory.dialects.learn('https://p', { economy: 'economy' });
    assert.deepEqual(memory.dialects.get('https://p'), { paths: 'hyphen', economy: 'economy' });
    assert.deepEqual(memory.dialects.get('https://q'), {});
  });

  it('links the conversations used last, up to a number', () => {
    for (let i = 0; i < 501; i++) memory.conversationLinks.set('app', `c${i}`, `chat${i}`);
    assert.equal(memory.conversationLinks.get('app', 'c0'), undefined);
    assert.equal(memory.conversationLinks.get('app', 'c500'), 'chat500');
    memory.conversationLinks.set('app', 'c1', 'again');
    memory.conversationLinks.set('app', 'new', 'chat');
    assert.equal(memory.conversationLinks.get('app', 'c1'), 'again');
    assert.equal(memory.conversationLinks.get('app', 'c2'), undefined);
  });

  it('makes up the name that apps know the user by once', () => {
    let made = 0;
    const newId = () => String(++made);
    assert.equal(memory.platformUser(newId), 'switchboard-1');
    assert.equal(memory.platformUser(newId), 'switchboard-1');
    assert.equal(made, 1);
  });
});
