import assert from 'node:assert/strict';
import { addToKnowledgeBase } from '../../src/host/knowledge/addToKnowledgeBase.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import { resendStuck } from '../../src/host/knowledge/tree/documentActions.ts';
import { Notifications } from '../../src/host/ui/notifications.ts';
import type { PlannedDocument } from '../../src/knowledge/upload/plannedDocument.ts';
import type { UploadPlan } from '../../src/knowledge/upload/uploadPlan.ts';
import type { UploadReport } from '../../src/knowledge/upload/uploadResults.ts';
import type { Confirmed } from '../../src/knowledge/upload/uploads.ts';
import type { Dataset } from '../../src/platform/records.ts';
import { emptyDataset } from '../support/emptyDataset.ts';
import { silentLog } from '../support/silentLog.ts';
import { withPerson } from './person.ts';
import type { ListScript } from './scriptedQuickPick.ts';

const harbour: Dataset = { ...emptyDataset('d'), name: 'Harbour' };

/** Knowledge whose plan has documents with these changes, all of them stuck, and which notes what is sent. */
function knowledgeWith(
  changes: PlannedDocument['change'][],
  { dataset = harbour, isOneSkipped = false } = {},
) {
  const sent: Confirmed[] = [];
  const documents = changes.map((change, index) => ({
    ...{ id: `${index}`, name: `${index}.md`, origin: { path: `docs/${index}.md` } },
    ...{ bytes: 1024, change, isSelected: change !== 'unchanged' },
  }));
  const skipped = isOneSkipped ? [{ path: 'docs/.env', reason: 'policy', message: 'It is blocked.' }] : [];
  const context = {
    notifications: new Notifications(silentLog),
    dependencies: {
      policy: { check: async (path: string) => ({ isAllowed: true, realPath: `/work/${path}` }) },
    },
    memory: { processRule: () => undefined },
    access: { origin: 'http://platform' },
    goodReport: {},
    knowledge: {
      documents: () => ({ stuck: documents }),
      uploads: {
        hasFailed: false,
        plan: async () => ({
          ...{ dataset, documents, skipped, removals: [], keeps: 0, settings: {}, isSync: false },
        }),
        async run(_: UploadPlan, confirmed: Confirmed): Promise<UploadReport> {
          sent.push(confirmed);
          const nothing = { added: [], removed: [], failed: [], notSent: 0, isCancelled: false };
          return { dataset, ...nothing, updated: [...confirmed.send] };
        },
      },
    },
  } as unknown as KnowledgeCommandContext;
  return { context, sent };
}

describe('documents that are stuck', () => {
  const titles: string[] = [];
  const dismiss: ListScript = (list) => {
    titles.push(list.title);
    list.dismiss();
  };
  beforeEach(() => void (titles.length = 0));

  it('are sent again without a question if their files are as they were sent', async () => {
    const { context, sent } = knowledgeWith(['unchanged', 'unchanged']);
    await withPerson({ lists: [dismiss] }, () => resendStuck(context, harbour));
    assert.deepEqual([titles, sent], [[], [{ send: ['0', '1'], remove: [] }]]);
  });

  for (const [what, changes, isOneSkipped, title] of [
    ['all were changed since', ['changed'], false, '0 new, 1 changed, 1 KB'],
    ['one was changed since', ['unchanged', 'changed'], false, '0 new, 1 changed, 1 re-uploaded, 2 KB'],
    ['one may not go', ['unchanged'], true, '0 new, 0 changed, 1 re-uploaded, 1 skipped, 1 KB'],
  ] as const) {
    it(`are shown before they are sent again: ${what}`, async () => {
      const { context, sent } = knowledgeWith([...changes], { isOneSkipped });
      await withPerson({ lists: [dismiss] }, () => resendStuck(context, harbour));
      assert.deepEqual([titles, sent], [[`Add to Harbour: ${title}`], []]);
    });
  }
});

describe('a knowledge base without its embedding model', () => {
  it('is asked about before anything is shown or sent', async () => {
    const dataset: Dataset = {
      ...harbour,
      ...{ technique: 'high_quality', embeddingModel: 'sonar', isEmbeddingAvailable: false },
    };
    const { context, sent } = knowledgeWith(['new'], { dataset });
    const shown: string[] = [];
    const confirm: ListScript = async (list) => {
      shown.push(list.title);
      await list.accept('Upload 1 document');
    };
    const add = () => addToKnowledgeBase(context, [{ type: 'path', path: '/work/docs/0.md' }], dataset);
    const [question] = await withPerson({ lists: [confirm] }, add);
    assert.equal(question?.text, 'The embedding model "sonar" of "Harbour" isn\'t available. Upload anyway?');
    assert.deepEqual([shown, sent], [[], []]);
    await withPerson({ presses: ['Upload'], lists: [confirm] }, add);
    assert.deepEqual([shown.length, sent], [1, [{ send: ['0'], remove: [] }]]);
  });
});
