import assert from 'node:assert/strict';
import { ConfirmedCalls, type PlannedCall } from '../../../../src/chat/editorRequests/confirmedCalls.ts';

const { signal } = new AbortController();

/** Calls with plans, whose runs and questions are recorded. */
function open(answer = true) {
  const ran: string[] = [];
  const asked: string[] = [];
  let plans = 0;
  const calls = new ConfirmedCalls(
    async (tool, input): Promise<PlannedCall> => {
      const name = `${tool} ${JSON.stringify(input)} as planned ${++plans}`;
      if (input === 'wrong') return { problem: 'No.' };
      const run = async () => {
        ran.push(name);
        return `Did ${name}`;
      };
      return { title: name, message: '', progress: '', run };
    },
    async (title) => {
      asked.push(title);
      return answer;
    },
  );
  return { calls, ran, asked };
}

describe('calls that others make of our tools', () => {
  it('run as they were asked about, once', async () => {
    const { calls, ran, asked } = open();
    assert.equal((await calls.prepare('search', { q: 1 }, signal))?.title, 'search {"q":1} as planned 1');
    assert.equal(await calls.invoke('search', { q: 1 }, signal), 'Did search {"q":1} as planned 1');
    assert.deepEqual(asked, []);
    await calls.invoke('search', { q: 1 }, signal);
    assert.deepEqual(asked, ['search {"q":1} as planned 2']);
    assert.equal(ran.length, 2);
  });

  it('are asked about here where nobody asked: another input, another tool, or none prepared', async () => {
    const { calls, ran, asked } = open(false);
    await calls.prepare('search', { q: 1 }, signal);
    assert.equal(await calls.invoke('search', { q: 2 }, signal), 'The user refused the call.');
    assert.equal(await calls.invoke('run', { q: 1 }, signal), 'The user refused the call.');
    assert.equal(asked.length, 2);
    assert.deepEqual(ran, []);
  });

  it('that are wrong do nothing and ask nothing', async () => {
    const { calls, ran, asked } = open();
    assert.equal(await calls.prepare('search', 'wrong', signal), undefined);
    assert.equal(await calls.invoke('search', 'wrong', signal), 'No.');
    assert.deepEqual([ran, asked], [[], []]);
  });

  it('that were asked about and never ran do not pile up', async () => {
    const { calls, asked } = open();
    for (let q = 0; q < 100; q++) await calls.prepare('search', { q }, signal);
    await calls.invoke('search', { q: 99 }, signal);
    assert.equal(asked.length, 0);
    await calls.invoke('search', { q: 0 }, signal);
    assert.equal(asked.length, 1);
  });

  it('keep the consent that was just given again', async () => {
    const { calls, asked } = open();
    for (let q = 0; q < 50; q++) await calls.prepare('search', { q }, signal);
    await calls.prepare('search', { q: 0 }, signal);
    await calls.prepare('search', { q: 50 }, signal);
    await calls.invoke('search', { q: 0 }, signal);
    assert.equal(asked.length, 0);
    await calls.invoke('search', { q: 1 }, signal);
    assert.equal(asked.length, 1);
  });
});
