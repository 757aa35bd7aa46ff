import assert from 'node:assert/strict';
import {
  AccessController,
  type Answer,
  type Caller,
  fits,
  ProgramAccess,
  shownName,
  type Wish,
} from '../../../src/knowledgeServer/programAccess.ts';

const server = 'https://platform.test';
const codex = { id: 'c', program: 'codex', name: 'Codex', at: 1 };
const caller: Caller = { configuration: 'c', selfName: 'codex-mcp-client', folder: '' };
const search = (...ids: string[]): Wish => ({
  type: 'search',
  server,
  bases: ids.map((id) => ({ id, name: id.toUpperCase() })),
});
const { signal } = new AbortController();

function setUp(answers: (Answer | undefined)[] = [], programs: unknown = [codex]) {
  const memory = { knowledgePrograms: programs, knowledgeGrants: undefined as unknown };
  const access = new ProgramAccess(memory);
  let asked = 0;
  const connect = () =>
    new AccessController(access, async () => {
      asked++;
      return answers.shift();
    });
  return { memory, access, connect, asked: () => asked };
}

describe('access of programs to knowledge', () => {
  it('asks before the first search, and again only for more than was allowed', async () => {
    const { connect, asked } = setUp(['workspace', 'workspace']);
    const desk = connect();
    assert.equal(await desk.allows(caller, search('a', 'b'), signal), true);
    assert.equal(await desk.allows(caller, search('b'), signal), true);
    assert.equal(await connect().allows(caller, search('a'), signal), true);
    assert.equal(asked(), 1);
    assert.equal(await desk.allows(caller, search('a', 'c'), signal), true);
    assert.equal(await desk.allows(caller, search('a', 'b', 'c'), signal), true);
    assert.equal(asked(), 2);
  });

  it('lets once be once, and a denial hold until the program connects again', async () => {
    const { connect, access, asked } = setUp(['once', 'deny', 'once']);
    const desk = connect();
    assert.equal(await desk.allows(caller, search('a'), signal), true);
    assert.equal(await desk.allows(caller, search('a'), signal), false);
    assert.equal(await desk.allows(caller, search('a'), signal), false);
    assert.equal(asked(), 2);
    assert.equal(await desk.allows(caller, search('b'), signal), true);
    assert.deepEqual(access.grants, []);
    assert.equal(await connect().allows(caller, search('a'), signal), false);
    assert.equal(asked(), 4);
  });

  it('knows a denied search in whatever order it names the bases', async () => {
    const { connect, asked } = setUp(['deny', 'once']);
    const desk = connect();
    assert.equal(await desk.allows(caller, search('a', 'b'), signal), false);
    assert.equal(await desk.allows(caller, search('b', 'a'), signal), false);
    assert.equal(asked(), 1);
  });

  it('asks the next question although one failed', async () => {
    const questions: (() => Promise<Answer>)[] = [
      () => Promise.reject(new Error('The window closed')),
      async () => 'once',
    ];
    const desk = new AccessController(setUp().access, async () => questions.shift()?.());
    await assert.rejects(desk.allows(caller, search('a'), signal), /closed/);
    assert.equal(await desk.allows(caller, search('a'), signal), true);
  });

  it('takes a dismissed question for no, and asks again', async () => {
    const { connect, asked } = setUp([undefined, 'once']);
    const desk = connect();
    assert.equal(await desk.allows(caller, search('a'), signal), false);
    assert.equal(await desk.allows(caller, search('a'), signal), true);
    assert.equal(asked(), 2);
  });

  it('keeps names of all bases apart from searching them', async () => {
    const { connect, access } = setUp(['workspace', 'workspace']);
    const desk = connect();
    assert.ok(await desk.allows(caller, search('a'), signal));
    assert.equal(access.isAllowed(caller, { type: 'list', server }), false);
    assert.ok(await desk.allows(caller, { type: 'list', server }, signal));
    assert.equal(access.isAllowed(caller, { type: 'list', server }), true);
    assert.equal(access.isAllowed(caller, search('b')), false);
    assert.equal(access.isAllowed(caller, { ...search('a'), type: 'read' } as Wish), true);
  });

  it('binds what was allowed to configuration, name, folder and platform', () => {
    const { access, memory } = setUp([], [codex, { ...codex, id: 'd' }]);
    access.allow(caller, search('a'));
    assert.ok(access.isAllowed(caller, search('a')));
    for (const other of [
      { ...caller, configuration: 'd' },
      { ...caller, selfName: 'Claude Code' },
      { ...caller, folder: '/elsewhere' },
    ]) {
      assert.equal(access.isAllowed(other, search('a')), false, JSON.stringify(other));
    }
    assert.equal(access.isAllowed(caller, { ...search('a'), server: 'https://other.test' }), false);
    memory.knowledgePrograms = [];
    assert.equal(access.isAllowed(caller, search('a')), false);
  });

  it('keeps nothing for a program that was not configured', async () => {
    const { connect, access, asked } = setUp(['workspace', 'workspace']);
    const unknown = { ...caller, configuration: 'made-up' };
    const desk = connect();
    await desk.allows(unknown, search('a'), signal);
    access.allow(unknown, search('a'));
    assert.deepEqual(access.grants, []);
    await desk.allows(unknown, search('a'), signal);
    assert.equal(asked(), 2);
  });

  it('asks one question at a time, and none that was withdrawn', async () => {
    const order: string[] = [];
    const { access } = setUp();
    const desk = new AccessController(access, async ({ wish }) => {
      order.push(wish.type);
      await Promise.resolve();
      order.push('answered');
      return 'once';
    });
    const stopped = new AbortController();
    const [, , last] = await Promise.allSettled([
      desk.allows(caller, search('a'), signal),
      desk.allows(caller, { type: 'list', server }, signal),
      desk.allows(caller, search('c'), (stopped.abort(), stopped.signal)),
    ]);
    assert.deepEqual(order, ['search', 'answered', 'list', 'answered']);
    assert.equal(last?.status, 'rejected');
  });

  it('does not count an answer that came after the call was stopped', async () => {
    const { access } = setUp();
    const stop = new AbortController();
    const desk = new AccessController(access, async () => {
      stop.abort();
      return 'workspace';
    });
    await assert.rejects(desk.allows(caller, search('a'), stop.signal));
    assert.deepEqual(access.grants, []);
  });

  it('removes what was allowed, and with a configuration all that it was allowed', () => {
    const { access } = setUp();
    access.allow(caller, search('a'));
    access.allow({ ...caller, folder: '/elsewhere' }, search('a'));
    const [first] = access.grants;
    assert.ok(first);
    access.remove(first);
    assert.deepEqual(
      access.grants.map(({ folder }) => folder),
      ['/elsewhere'],
    );
    access.withdrawn('c');
    assert.deepEqual([access.grants, access.configurations], [[], []]);
  });

  it('reads its memory whatever is in it', () => {
    for (const value of [null, 'x', {}, [1, { id: 1 }, { ...codex, at: 'never' }]]) {
      const { access } = setUp([], value);
      assert.deepEqual(access.configurations, []);
    }
    const { access } = setUp([], [codex, 3]);
    assert.deepEqual(access.configurations, [codex]);
    access.configured({ ...codex, at: 2 });
    assert.deepEqual(access.configurations, [{ ...codex, at: 2 }]);
  });
});

describe('names that programs give themselves', () => {
  it('fit the program that was configured, or not', () => {
    const claude = { program: 'claude-code', name: 'Claude Code' };
    assert.ok(fits(claude, 'claude-code'));
    assert.ok(fits(claude, 'Claude Code/2.1'));
    assert.ok(fits({ program: 'kilo', name: 'Kilo Code' }, 'kilo'));
    for (const name of ['', 'codex'])
      assert.ok(!fits({ program: 'assistant', name: '助手' }, name), 'a name without letters fits nobody');
    for (const name of ['', 'codex', 'not claude code', '123']) assert.ok(!fits(claude, name), name);
  });

  it('are shown on one line, cut, with what is unseen written out', () => {
    assert.equal(shownName('a\nb\u202e'), 'a b⟨U+202E⟩');
    assert.ok(shownName('x'.repeat(500)).length < 70);
  });
});
