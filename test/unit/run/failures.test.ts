import assert from 'node:assert/strict';
import { noteFailure, onTestFailure, testEnded } from '../../host/failures.ts';

describe('the failure of a test', () => {
  const runnable = (title: string, state?: 'failed' | 'passed') =>
    ({ title, state, err: new Error('late'), fullTitle: () => `suite ${title}` }) as unknown as Mocha.Test;
  let forget: () => void;
  beforeEach(() => (forget = onTestFailure(async (title) => `The screen of ${title}.`)));
  afterEach(() => forget());

  it('is told with what was on the screen', async () => {
    const test = runnable('opens', 'failed');
    await testEnded(test);
    assert.match(test.err?.message ?? '', /^late\n.*The screen of suite opens\./s);
  });

  it('is told so if the hook before the test failed, and for that test alone', async () => {
    const hook = runnable('"before each" hook for "opens"', 'failed');
    noteFailure(hook);
    await testEnded(runnable('opens'));
    assert.match(hook.err?.message ?? '', /The screen of suite "before each" hook for "opens"\./);
    const told = hook.err?.message;
    const passed = runnable('closes', 'passed');
    await testEnded(passed);
    assert.equal(hook.err?.message, told);
    assert.equal(passed.err?.message, 'late');
  });

  it('is not the one of a hook whose test never runs', async () => {
    const hook = runnable('"before all" hook in "suite"', 'failed');
    noteFailure(hook);
    await testEnded(runnable('of another suite', 'passed'));
    assert.equal(hook.err?.message, 'late');
  });
});
