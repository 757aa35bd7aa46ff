import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { UploadReport } from '../../../../src/knowledge/upload/uploadResults.ts';
import {
  countReport,
  reportText,
  summariseNotIndexed,
  summariseReport,
} from '../../../../src/knowledge/view/reportText.ts';
import { emptyDataset } from '../../../support/emptyDataset.ts';

const report: UploadReport = {
  dataset: emptyDataset('d'),
  added: ['a.md', 'b.md'],
  updated: ['c.md'],
  removed: [],
  failed: [
    {
      name: 'd.pdf',
      error: new SwitchboardError('too-large', 'It is too large.', { why: '413' }),
      isRemoval: false,
    },
    { name: 'e.md', error: new SwitchboardError('transient', 'The connection broke.'), isRemoval: true },
  ],
  notSent: 4,
  isCancelled: true,
};

describe('the report of a run', () => {
  it('is a line with what happened and nothing that did not', () => {
    assert.equal(summariseReport(report), 'Docs, stopped: 2 added, 1 updated, 2 failed, 4 not uploaded.');
    const none = { ...report, added: [], updated: [], failed: [], notSent: 0, isCancelled: false };
    assert.equal(summariseReport(none), 'Docs: nothing was uploaded.');
    assert.deepEqual(countReport(report), { added: 2, updated: 1, removed: 0, failed: 2, notSent: 4 });
  });

  it('gives the reason of the only failure', () => {
    const { failed } = report;
    const one = { ...report, updated: [], failed: failed.slice(0, 1), notSent: 0, isCancelled: false };
    assert.equal(summariseReport(one), 'Docs: 2 added, 1 failed. d.pdf: It is too large.');
    const inFolder = failed.slice(0, 1).map((each) => ({ ...each, name: 'app∕d.pdf' }));
    assert.match(summariseReport({ ...one, failed: inFolder }), / app\/d\.pdf: It is too large\.$/);
  });

  it('says what was uploaded and could not be indexed', () => {
    const failed = { name: 'app∕a.md', status: { type: 'failed', reason: 'The model is out.' } } as const;
    const empty = { name: 'b.md', status: { type: 'empty' } } as const;
    const line = (...documents: (typeof failed | typeof empty)[]) =>
      summariseNotIndexed('Docs', { datasetId: 'd', documents });
    assert.equal(line(failed), "Docs: app/a.md was uploaded but couldn't be indexed. The model is out.");
    assert.equal(line(empty), "Docs: b.md was uploaded but couldn't be indexed. No text.");
    assert.equal(line(failed, empty), "Docs: 2 uploaded documents couldn't be indexed.");
  });

  it("lists everything, the failures first, with the server's response", () => {
    const text = reportText(report);
    assert.match(
      text,
      /## Failed \(2\)\n\n- d\.pdf: It is too large\. .*413\n- e\.md \(was to be deleted\): The conn/,
    );
    const whereSlashesAre = { ...report, added: ['app∕a.md'], failed: report.failed.slice(0, 1) };
    assert.match(reportText(whereSlashesAre), /## Added \(1\)\n\n- app\/a\.md\n/);
    assert.match(text, /## Added \(2\)\n\n- a\.md\n- b\.md\n/);
    assert.doesNotMatch(text, /## Deleted/);
  });
});
