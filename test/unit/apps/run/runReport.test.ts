import assert from 'node:assert/strict';
import type { AppStep } from '../../../../src/apps/app.ts';
import { runFailureMessage } from '../../../../src/apps/run/runReport.ts';
import { notBegun, type RunProgress } from '../../../../src/apps/run/runProgress.ts';
import { runReport } from '../../../../src/apps/run/runReport.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';

const step = (title: string, more: Partial<AppStep> = {}): AppStep => ({
  id: title,
  kind: 'code',
  title,
  status: 'succeeded',
  ...more,
});
const broken = step('Count', { status: 'failed', elapsedMs: 50, error: "NameError: 'tides'" });
const refusal = new SwitchboardError('app-unavailable', 'The app is not ready for use.', {
  why: 'App unavailable',
  address: 'http://127.0.0.1/v1/workflows/run',
  status: 400,
});
const progress: RunProgress = {
  ...notBegun,
  runId: 'w1',
  steps: [
    step('Start', { elapsedMs: 12 }),
    step('Write', { elapsedMs: 1240, tokens: 412, round: 2 }),
    broken,
  ],
  run: { workflowId: 'v7', status: 'failed', outputs: {}, error: 'it broke', elapsedMs: 2100, tokens: 412 },
};

describe('how a run went', () => {
  it('has what an agent did within its step, one level deeper for each', () => {
    const steps = [
      step('Agent'),
      step('ROUND 1', { depth: 1, detail: 'I look\n# it up.' }),
      step('CALL search', { depth: 2, status: 'failed', error: 'no\nanswer' }),
    ];
    const text = runReport({ name: 'A', baseUrl: 'http://127.0.0.1', progress: { ...notBegun, steps } });
    assert.equal(
      text.slice(text.indexOf('- **Agent')),
      '- **Agent**: done\n  - **ROUND 1**: done\n    I look # it up.\n    - **CALL search**: failed\n      no answer\n',
    );
  });

  it('is told step by step, with times, tokens, rounds and reasons', () => {
    assert.equal(
      runReport({ name: 'Summarise', baseUrl: 'http://127.0.0.1', progress }),
      `# Summarise

it broke

- State: failed
- 2.1 s · 412 tokens
- Run: w1
- Version: v7

## Steps

- **Start**: done · 12 ms
- **Write**: done · round 2 · 1.2 s · 412 tokens
- **Count**: failed · 50 ms
  NameError: 'tides'
`,
    );
  });

  it('shows the request and the server response of a refusal', () => {
    const report = runReport({ name: 'A', baseUrl: 'http://127.0.0.1', progress: notBegun, error: refusal });
    assert.match(report, /not ready for use[\s\S]*workflows\/run[\s\S]*400[\s\S]*App unavailable/);
  });

  it('keeps a title from being more than a line', () => {
    const odd = { ...notBegun, steps: [step('A\n# B')] };
    assert.doesNotMatch(runReport({ name: 'x\n# y', baseUrl: 'http://a', progress: odd }), /^# [By]/m);
  });
});

describe('a failed run in a sentence', () => {
  it("names the step that failed and the server's reason", () => {
    const error = new SwitchboardError('app-unavailable', 'The run failed.', { why: 'it broke' });
    assert.equal(
      runFailureMessage({ name: 'Summarise' }, progress.steps, error),
      `"Summarise" failed at "Count". Server response: NameError: 'tides'`,
    );
  });

  it('says what happened and what to do where no step is to blame', () => {
    assert.equal(
      runFailureMessage({ name: 'Summarise' }, [], refusal),
      'Summarise: The app is not ready for use. Server response: App unavailable',
    );
  });
});
