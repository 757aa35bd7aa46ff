import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelCheck } from '../../src/relay/check/checkReport.ts';
import type { RelayModels } from '../../src/chat/models/relayModels.ts';
import type { KnownFact } from '../../src/chat/models/modelProfiles.ts';
import { Deferred } from '../../src/base/async/promises.ts';
import { showModelDetails } from '../../src/host/connect/modelDetails.ts';
import { goodModels } from '../servers/models/goodModels.ts';
import { type RelayServer, startRelay } from '../servers/sandbox.ts';
import { type ScriptedModel, stall } from '../servers/script/script.ts';
import { type PersonScript, withPerson } from './person.ts';
import { replace, restoreAll } from './replace.ts';

const run = (command: string, ...args: unknown[]) =>
  vscode.commands.executeCommand(`switchboard.${command}`, ...args);
const set = (name: string, value: unknown) =>
  vscode.workspace.getConfiguration('switchboard').update(name, value, vscode.ConfigurationTarget.Global);

const echo = goodModels.find(({ id }) => id === 'scripted-echo')!;

const stalled = new Deferred();

/** Never finishes its answer to the first probe with tools, so that the check is cancelled then. */
const stalling: ScriptedModel = {
  ...echo,
  id: 'scripted-stalling',
  async *answer(request, context) {
    if (request.tools?.length) {
      stalled.resolve();
      yield stall;
    }
    yield* echo.answer(request, context);
  },
};

describe('checking a model', function () {
  this.timeout(60_000);
  let relay: RelayServer;
  const asked = () => relay.requests.filter(({ method }) => method === 'POST');

  before(async () => {
    relay = await startRelay({ dialect: 'openrouter', models: [stalling] });
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
  });
  after(async () => {
    await withPerson({}, () => run('removeKeys'));
    await set('relay.baseUrl', undefined);
    await relay.stop();
  });
  beforeEach(() => relay.clearRequests());
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));

  async function check(script: PersonScript, modelId?: string) {
    let result: { checks: ModelCheck[]; report: string } | undefined;
    const questions = await withPerson(script, async () => {
      result = (await run('checkModel', modelId)) as typeof result;
    });
    return { result, questions };
  }

  it('says before what it sends and costs at most, and sends nothing without consent', async () => {
    const { result, questions } = await check({}, 'openai/scripted-tools');
    assert.equal(result, undefined);
    assert.deepEqual(questions, [
      {
        kind: 'information',
        text: 'Check openai/scripted-tools?',
        detail:
          '8 requests at most, up to 6,000 tokens, at most about $0.0056. None of your files or messages are sent. You can cancel at any time.',
        buttons: ['Check'],
      },
    ]);
    assert.equal(asked().length, 0);
  });

  it('shows a report without key and address, which can be copied', async () => {
    const { result } = await check({ answers: ['Check', 'Copy Report'] }, 'openai/scripted-tools');
    const [only] = result?.checks ?? [];
    assert.equal(only?.requests, asked().length);
    const { report = '' } = result ?? {};
    assert.match(report, /^\[OK\] Tool calls: Several calls in one answer\.$/m);
    assert.ok(!report.includes(relay.key), report);
    // Addresses of the relay and of the editor's own server are left out.
    assert.doesNotMatch(report, /127\.0\.0\.1|localhost|:\/\//);
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.deepEqual([document?.uri.scheme, document?.getText()], ['switchboard-report', report]);
  });

  it('keeps what was found when it is cancelled', async () => {
    type Task = Parameters<typeof vscode.window.withProgress>[1];
    const steps: string[] = [];
    replace(vscode.window, 'withProgress', (_options: vscode.ProgressOptions, task: Task) => {
      const cancelling = new vscode.CancellationTokenSource();
      // With the request at the relay: what is cancelled before counts, but may not have left.
      void stalled.promise.then(() => cancelling.cancel());
      return task({ report: ({ message = '' }) => steps.push(message) }, cancelling.token);
    });
    const { result, questions } = await check({ answers: ['Check'] }, 'openai/scripted-stalling').finally(
      restoreAll,
    );
    assert.match(result?.report ?? '', /^\[OK\] [^]*Not checked: the check was stopped\./m);
    assert.equal(result?.checks[0]?.requests, asked().length);
    assert.ok(asked().length < 5);
    assert.ok(steps.some((step) => step.includes('Tool calls')));
    assert.equal(questions.at(-1)?.text, 'The check was stopped. The report shows the results so far.');
  });

  it('asks which model, with all models of the relay first', async () => {
    const { result, questions } = await check({ picks: ['scripted-echo'], answers: ['Check'] });
    assert.equal(questions[0]?.text, 'Check Model');
    assert.deepEqual(
      result?.checks.map(({ model }) => model),
      ['openai/scripted-echo'],
    );
    relay.clearRequests();
    const { questions: ofAll } = await check({ picks: ['All models of '] });
    assert.match(ofAll[1]?.text ?? '', /^Check all models of 127\.0\.0\.1:\d+ \(\d+ models\)\?$/);
    assert.match(ofAll[1]?.detail ?? '', /^[\d,]+ requests at most, up to [\d,]+ tokens, at most about \$/);
    assert.equal(asked().length, 0);
  });

  it('leaves out of all models what is not for chat', async () => {
    const countOfAll = async () => {
      const { questions } = await check({ picks: ['All models of '] });
      return Number(/\((\d+) models\)/.exec(questions[1]?.text ?? '')?.[1]);
    };
    const count = await countOfAll();
    await set('relay.models', [{ id: 'openai/scripted-echo', kind: 'other' }]);
    try {
      assert.equal(await countOfAll(), count - 1);
    } finally {
      await set('relay.models', undefined);
    }
  });

  it('counts in the daily budget, and ends where the user does not want it to be passed', async () => {
    await set('chat.dailyBudget', { tokens: 1 });
    try {
      const { result } = await check({ answers: ['Check'] }, 'openai/scripted-tools');
      assert.deepEqual(
        result?.checks.map(({ endedBy, requests }) => ({ endedBy, requests })),
        [{ endedBy: 'budget', requests: 0 }],
      );
      assert.equal(asked().length, 0);
    } finally {
      await set('chat.dailyBudget', undefined);
    }
  });

  it('keeps what was found in the profile of the model', async () => {
    await check({ answers: ['Check'] }, 'openai/vendor/o-series');
    relay.clearRequests();
    await withPerson({ picks: ['vendor/o-series'] }, () => run('diagnoseConnection'));
    assert.deepEqual(
      asked().map(({ json }) => 'max_completion_tokens' in (json as object)),
      [true, true],
    );
  });
});

describe('the details of a model', () => {
  it('say who told each, and forget what was detected, of which there may be nothing', async () => {
    let known: KnownFact[] = [
      { name: 'contextWindow', value: 128_000, source: 'list' },
      { name: 'toolCalling', value: false, source: 'refusal', atMs: 0 },
    ];
    const models = {
      catalog: { find: () => undefined },
      known: () => known,
      forget: (id: string) => void (known = id === 'vendor/tide' ? [] : known),
    } as unknown as Pick<RelayModels, 'catalog' | 'known' | 'forget'>;
    const shown: string[][] = [];
    replace(vscode.window, 'showQuickPick', async (rows: readonly vscode.QuickPickItem[]) => {
      shown.push(rows.map(({ label, detail = '' }) => `${label}: ${detail}`));
      return rows.find(({ label }) => label.includes('Clear Detected Details'));
    });
    try {
      await showModelDetails(models, 'vendor/tide');
      await showModelDetails(models, 'vendor/tide');
    } finally {
      restoreAll();
    }
    const [before = [], after = []] = shown;
    assert.equal(before[0], "Context window: 128,000 tokens: the relay's list");
    assert.match(before[1] ?? '', /: a refusal, /);
    assert.equal(after[0], 'Nothing is known about this model yet.: ');
    assert.ok(!after.some((row) => row.includes('Clear Detected Details')));
  });
});
