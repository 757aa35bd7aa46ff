import assert from 'node:assert/strict';
import type { PlannedDocument } from '../../../../src/knowledge/upload/plannedDocument.ts';
import type { PlannedRemoval } from '../../../../src/knowledge/upload/plannedRemovals.ts';
import type { UploadPlan } from '../../../../src/knowledge/upload/uploadPlan.ts';
import {
  preflightItems,
  proposedChoice,
  type Choice,
} from '../../../../src/knowledge/view/preflightItems.ts';
import { emptyDataset } from '../../../support/emptyDataset.ts';

function planned(path: string, of: Partial<PlannedDocument> = {}): PlannedDocument {
  const change = of.change ?? 'new';
  return {
    id: path,
    origin: { path },
    name: path,
    how: 'file',
    bytes: 1000,
    source: { type: 'file', realPath: `/work/${path}`, size: 1000, mtimeMs: 0, hash: path },
    isSelected: change === 'new' || change === 'changed',
    ...of,
    change,
  };
}

function removal(path: string, reason: PlannedRemoval['reason'] = 'removed'): PlannedRemoval {
  return { documentId: `gone ${path}`, name: path, path, reason };
}

function plan(of: Partial<UploadPlan>): UploadPlan {
  return {
    dataset: emptyDataset('d'),
    documents: [],
    skipped: [],
    removals: [],
    keeps: 0,
    settings: { technique: 'high_quality', processRule: { mode: 'automatic' }, form: 'text_model' },
    isSync: false,
    ...of,
  };
}

const view = (of: UploadPlan, choice: Choice = proposedChoice(of)) => preflightItems(of, choice);
const labels = (of: UploadPlan, choice?: Choice) =>
  view(of, choice).items.map((item) => ('label' in item ? item.label : ''));

describe('preflightItems', () => {
  const mixed = plan({
    documents: [
      planned('a.md'),
      planned('b.md', { bytes: 250_000 }),
      planned('c.ts', { change: 'changed', how: 'text', note: 'Unsaved changes are not uploaded.' }),
      planned('d.md', { change: 'unchanged' }),
      planned('e.md', { change: 'conflict', conflict: 'taken' }),
    ],
    skipped: [{ path: '.env', reason: 'secret', message: 'It may hold secrets.' }],
  });

  it('says in its title what would happen, and sends nothing but by its first item', () => {
    const { title, items } = view(mixed);
    assert.equal(title, 'Add to Docs: 2 new, 1 changed, 1 unchanged, 1 conflict, 1 skipped, 246 KB');
    assert.deepEqual(items[0], {
      type: 'action',
      action: 'send',
      label: '$(cloud-upload) Upload 3 documents (246 KB)',
    });
    assert.equal(items.filter(({ type }) => type === 'action').length, 1);
  });

  it('puts what waits for a decision first and what is unchanged last', () => {
    assert.deepEqual(labels(mixed), [
      '$(cloud-upload) Upload 3 documents (246 KB)',
      'Conflicts (1)',
      '$(dash) e.md',
      'New (2)',
      '$(check) a.md',
      '$(check) b.md',
      'Changed (1)',
      '$(check) c.ts',
      'Skipped (1)',
      '$(circle-slash) .env',
      'Unchanged (1)',
      '$(dash) d.md',
    ]);
  });

  it('tells of each document how it goes, how large it is, and what there is to know', () => {
    const { items } = view(mixed);
    const of = (label: string) => items.find((item) => 'label' in item && item.label.endsWith(label));
    assert.deepEqual(of('c.ts'), {
      type: 'document',
      id: 'c.ts',
      label: '$(check) c.ts',
      description: 'as text · 1 KB',
      detail: 'Unsaved changes are not uploaded.',
      isChosen: true,
    });
    const undecided = of('e.md');
    assert.ok(undecided?.type === 'document' && /another document.*replaces it/.test(undecided.detail ?? ''));
    const lines = view(
      plan({ documents: [planned('f.ts', { origin: { path: 'f.ts', lines: { start: 3, end: 9 } } })] }),
    );
    assert.ok(lines.items.some((item) => 'label' in item && item.label === '$(check) f.ts:3-9'));
  });

  it('says what others did to a document, what it was called before, and why one would be deleted', () => {
    const { items } = view(
      plan({
        isSync: true,
        documents: [
          planned('a.md', { renamedFrom: 'pages/old.md', note: 'Unsaved.' }),
          planned('b.md', { change: 'conflict', conflict: 'changed-there' }),
          planned('c.md', { change: 'conflict', conflict: 'deleted-there' }),
        ],
        removals: [removal('x.md'), removal('y.md', 'renamed'), removal('z.md', 'skipped')],
      }),
    );
    const details = items.flatMap((item) =>
      item.type === 'document' || item.type === 'removal' ? [[item.label.slice(-4), item.detail]] : [],
    );
    assert.deepEqual(Object.fromEntries(details), {
      'a.md': 'Uploaded earlier as pages/old.md. Unsaved.',
      'b.md': 'This document was replaced on the platform. Uploading overwrites that version.',
      'c.md': 'This document was deleted on the platform. Uploading adds it again.',
      'x.md': 'The file no longer exists.',
      'y.md': 'Its content is uploaded under another name.',
      'z.md': 'The file exists, but is skipped now.',
    });
  });

  it('follows what the user leaves out or takes in', () => {
    const { title, items } = view(mixed, { send: new Set(['a.md', 'd.md', 'e.md']), remove: new Set() });
    assert.equal(title, 'Add to Docs: 1 new, 0 changed, 1 re-uploaded, 1 replaced, 1 skipped, 2.9 KB');
    assert.ok(items.some((item) => 'label' in item && item.label === '$(dash) b.md'));
    assert.equal(view(mixed, { send: new Set(['a.md']), remove: new Set() }).items[0]?.type, 'action');
    assert.equal(
      labels(mixed, { send: new Set(['a.md']), remove: new Set() })[0],
      '$(cloud-upload) Upload 1 document (1 KB)',
    );
  });

  it('deletes only by an action of its own', () => {
    const sync = plan({
      isSync: true,
      documents: [planned('a.md')],
      removals: [removal('x.md'), removal('y.md')],
    });
    const { title, items } = view(sync);
    assert.equal(title, 'Sync with Docs: 1 new, 0 changed, 2 deleted locally, 1 KB');
    assert.deepEqual(
      items.flatMap((item) => (item.type === 'action' ? [[item.action, item.label]] : [])),
      [
        ['send', '$(cloud-upload) Upload 1 document (1 KB)'],
        ['sendAndRemove', '$(trash) Upload 1 document and delete 2'],
      ],
    );
    const nothingElse = view(sync, { send: new Set(), remove: new Set(['gone x.md']) });
    assert.deepEqual(
      nothingElse.items.flatMap((item) => (item.type === 'action' ? [item.label] : [])),
      ['$(trash) Delete 1 document'],
    );
  });

  it('says why there is nothing to send', () => {
    const first = (of: UploadPlan, choice?: Choice) => view(of, choice).items[0];
    const close = (label: string) => ({ type: 'action', action: 'close', label: `$(pass) ${label}` });
    const unchanged = plan({ documents: [planned('a.md', { change: 'unchanged' })] });
    assert.deepEqual(first(unchanged), close('All unchanged: nothing to upload'));
    assert.deepEqual(first(plan({})), close('No files'));
    assert.deepEqual(
      first(plan({ skipped: mixed.skipped })),
      close('All files skipped, for the reasons below'),
    );
    assert.deepEqual(first(mixed, { send: new Set(), remove: new Set() }), close('Nothing selected'));
  });
});
