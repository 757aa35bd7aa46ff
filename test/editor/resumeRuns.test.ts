import assert from 'node:assert/strict';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import { offerInterrupted } from '../../src/host/knowledge/resumeRuns.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import type { InterruptedRun } from '../../src/knowledge/upload/interruptedRuns.ts';
import type { UploadReport } from '../../src/knowledge/upload/uploadResults.ts';
import { withPerson, type PersonScript } from './person.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';

const run = (name: string): InterruptedRun => ({
  ...{ id: `${name} ${++runs}`, datasetId: name, datasetName: name },
  ...{ sent: 1, left: 2, startedAtMs: 0 },
});
let runs = 0;

/** Knowledge whose runs fail with an error or resume. */
function knowledgeWith(all: { run: InterruptedRun; error?: SwitchboardError }[]) {
  const resumed: string[] = [];
  const discarded: string[] = [];
  const uploads = {
    hasFailed: false,
    interrupted: async () => all.map((each) => each.run),
    discard: async ({ datasetName }: InterruptedRun) => void discarded.push(datasetName),
    async resume({ datasetName }: InterruptedRun): Promise<UploadReport> {
      const error = all.find((each) => each.run.datasetName === datasetName)?.error;
      if (error) throw error;
      resumed.push(datasetName);
      const dataset = {
        id: 'd',
        name: datasetName,
        description: '',
        isExternal: false,
        wordCount: 0,
        tags: [],
      };
      return { dataset, added: ['a'], updated: [], removed: [], failed: [], notSent: 0, isCancelled: false };
    },
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const context = {
    knowledge: { uploads },
    notifications: new Notifications(log),
    askedRuns: new Set(),
    goodReport: {},
  } as unknown as KnowledgeCommandContext;
  const offer = async (script: PersonScript) => {
    const asked = await withPerson(script, () => offerInterrupted(context));
    return asked.map(({ kind, text }) => `${kind}: ${text}`);
  };
  return { discarded, offer, resumed };
}

describe('uploads that were interrupted', () => {
  it('are asked about once, and one that cannot be resumed keeps no other', async () => {
    const { offer, resumed } = knowledgeWith([
      { run: run('Closed'), error: new SwitchboardError('not-permitted', 'Switched off.', { status: 403 }) },
      { run: run('Gone'), error: new SwitchboardError('request', 'No longer exists.', { status: 404 }) },
      { run: run('Good') },
      { run: run('Fine') },
    ]);
    const asked = await offer({ presses: ['Resume'] });
    assert.equal(
      asked[0],
      'warning: 4 uploads were interrupted: Closed, Gone, Good, Fine. Remaining documents: 8 of 12.',
    );
    assert.deepEqual(resumed, ['Good', 'Fine']);
    assert.ok(asked.includes('error: Switched off.'), asked.join());
    assert.ok(asked.includes('error: No longer exists.'), asked.join());
    assert.match((await offer({}))[0] ?? '', /^warning: 2 uploads were interrupted: Closed, Gone/);
  });

  it('are all discarded, or put off', async () => {
    const { discarded, offer, resumed } = knowledgeWith([{ run: run('One') }, { run: run('Two') }]);
    await offer({ presses: ['Discard'] });
    assert.deepEqual([discarded, resumed], [['One', 'Two'], []]);
    assert.deepEqual(await offer({}), []);
  });
});
