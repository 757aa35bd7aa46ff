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

  it('keeps what is of the workspace in the workspace', async () => {
    memory.draft = 'half a question';
    memory.chatId = 'c1';
    memory.toolsOff = ['run_command'];
    memory.commandRules = [{ line: 'npm test', folder: '/work' }];
    memory.isActiveEditorOff = true;
    await memory.flush();
    assert.deepEqual(everywhere.keys(), []);
    const reopened = new Memory(createMemento(), workspace);
    assert.equal(reopened.draft, 'half a question');
    assert.equal(reopened.chatId, 'c1');
    assert.deepEqual(reopened.commandRules, [{ line: 'npm test', folder: '/work' }]);
    assert.ok(reopened.isActiveEditorOff);
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
    assert.deepEqual(workspace.keys(), []);
  });

  it('has the five knowledge bases that were used last, the newest first', () => {
    for (const id of ['1', '2', '3', '4', '5', '6', '3']) memory.useBase('https://p', id);
    assert.deepEqual(memory.recentBases('https://p'), ['3', '6', '5', '4', '2']);
    assert.deepEqual(memory.recentBases('https://other'), []);
  });

  it('forgets how a knowledge base is cut when that is no longer set', () => {
    memory.setProcessRule('https://p', 'a', { mode: 'automatic' });
    memory.setProcessRule('https://p', 'b', { mode: 'automatic' });
    memory.setProcessRule('https://p', 'a', undefined);
    assert.equal(memory.processRule('https://p', 'a'), undefined);
    assert.deepEqual(memory.processRule('https://p', 'b'), { mode: 'automatic' });
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
