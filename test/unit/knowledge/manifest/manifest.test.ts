import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Manifest } from '../../../../src/knowledge/manifest/manifest.ts';
import {
  readRecords,
  type ManifestRecord,
  type RunRecord,
} from '../../../../src/knowledge/manifest/manifestRecords.ts';
import { ManifestState } from '../../../../src/knowledge/manifest/manifestState.ts';
import { MemoryStorage } from '../../../support/memoryKnowledge.ts';
import { silentLog } from '../../../support/silentLog.ts';

/** Objects with JSON's prototype. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(model, { noNullPrototype: true });
const name = fc.constantFrom('a', 'b', 'c', '__proto__');
const documentId = fc.constantFrom('d1', 'd2', 'd3');
const run = fc.constantFrom('r1', 'r2');
const at = fc.nat();
const content = { name, path: fc.string(), hash: fc.string(), size: fc.nat() };
const settings: RunRecord['settings'] = { technique: 'economical', processRule: { mode: 'automatic' } };
const nothing = { datasetName: '', items: [], removals: [] };
const item = plain({
  ...content,
  how: fc.constantFrom('file' as const, 'text' as const),
  realPath: fc.string(),
});
const record: fc.Arbitrary<ManifestRecord> = fc.oneof(
  plain({ type: fc.constant('sending' as const), at, ...content }),
  plain({ type: fc.constant('sent' as const), at, ...content, documentId }),
  plain({ type: fc.constant('refused' as const), at, name }),
  plain({ type: fc.constant('removed' as const), at, documentId }),
  plain({
    type: fc.constant('outcome' as const),
    at,
    documentId,
    outcome: plain({ type: fc.constantFrom('indexed' as const, 'failed' as const) }),
  }),
  plain({
    type: fc.constant('run' as const),
    at,
    run,
    datasetName: fc.string(),
    by: fc.string(),
    settings: fc.constant<RunRecord['settings']>(settings),
    items: fc.array(item, { maxLength: 3 }),
    removals: fc.constant<RunRecord['removals']>([]),
  }),
  plain({ type: fc.constant('resumed' as const), at, run, by: fc.string() }),
  plain({ type: fc.constant('ended' as const), at, run }),
);

function stateOf(records: Iterable<ManifestRecord>): ManifestState {
  const state = new ManifestState();
  for (const each of records) state.apply(each);
  return state;
}

function comparable({ documents, byId, pendingUploads }: ManifestState) {
  return { documents: new Map(documents), byId: new Map(byId), pendingUploads: new Map(pendingUploads) };
}

const toText = (records: Iterable<ManifestRecord>) =>
  [...records].map((each) => `${JSON.stringify(each)}\n`).join('');

describe('a manifest', () => {
  it('is read from anything without a fault', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void [...readRecords(text)]));
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const text = values.map((value) => JSON.stringify(value)).join('\n');
        stateOf(readRecords(text));
      }),
    );
  });

  it('is read as it was written, but for a torn line', () => {
    fc.assert(
      fc.property(fc.array(record), fc.nat(), (records, cut) => {
        const text = toText(records);
        assert.deepEqual([...readRecords(text)], records);
        const torn = [...readRecords(text.slice(0, text.length === 0 ? 0 : cut % text.length))];
        assert.deepEqual(torn, records.slice(0, torn.length));
      }),
    );
  });

  it('is read as an earlier version wrote it', () => {
    const removal = { documentId: 'd', name: 'a', path: 'a', reason: 'left-out' };
    const text = JSON.stringify({
      type: 'run',
      at: 1,
      run: 'r',
      by: '',
      settings,
      ...nothing,
      removals: [removal],
    });
    const [old] = readRecords(text);
    assert.ok(old?.type === 'run');
    assert.deepEqual(old.removals, [{ ...removal, reason: 'skipped' }]);
  });

  it('comes to the same after it was rewritten', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        const state = stateOf(records.filter(({ type }) => type !== 'run'));
        assert.deepEqual(comparable(stateOf(state.snapshot())), comparable(state));
      }),
    );
  });

  it('keeps an id and a name for each document', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 40 }), (records) => {
        const { documents, byId } = stateOf(records);
        for (const [id, document] of byId) assert.equal(document.documentId, id);
        for (const [own, document] of documents) assert.equal(document.name, own);
        assert.deepEqual(new Set(documents.values()), new Set(byId.values()));
      }),
    );
    const sent = { type: 'sent', at: 1, path: 'a.md', hash: '', size: 1, documentId: 'd' } as const;
    const renamed = stateOf([
      { ...sent, name: 'before' },
      { ...sent, name: 'after' },
    ]);
    assert.deepEqual([...renamed.documents.keys()], ['after']);
  });

  it('ends a run with the last that it sends and removes', () => {
    const document = { name: 'a', path: 'a', hash: 'h', size: 1 };
    const state = stateOf([
      {
        ...{ type: 'run', at: 1, run: 'r', by: '', datasetName: '', settings },
        items: [{ ...document, how: 'file', realPath: '/a' }],
        removals: [{ documentId: 'old', name: 'old', path: 'old', reason: 'removed' }],
      },
    ]);
    state.apply({ ...document, type: 'sent', at: 2, documentId: 'd' });
    assert.deepEqual([...state.runs.keys()], ['r']);
    state.apply({ type: 'removed', at: 3, documentId: 'old' });
    assert.deepEqual([...state.runs.keys()], []);
  });

  it('is rewritten when most of it is dead, and never while a run is open', async () => {
    const storage = new MemoryStorage();
    const manifest = new Manifest(storage, 'm', silentLog);
    const sent = { type: 'sent' as const, at: 1, name: 'a', path: 'a', hash: 'h', size: 1, documentId: 'd' };
    await manifest.append({ type: 'run', at: 1, run: 'r', by: '', settings, ...nothing });
    for (let count = 0; count < 600; count++) {
      await manifest.append({ type: 'refused', at: 1, name: 'other' });
      await manifest.append({ type: 'outcome', at: 1, documentId: 'other', outcome: { type: 'empty' } });
    }
    const long = storage.texts.get('m');
    await manifest.compact();
    assert.equal(storage.texts.get('m'), long);

    await manifest.append({ type: 'ended', at: 2, run: 'r' });
    await manifest.append(sent);
    await manifest.compact();
    assert.equal(storage.texts.get('m'), toText([sent]));
    assert.deepEqual([...manifest.state.documents.values()], [sent]);
  });

  it('is read again as if it were read for the first time, however it grew or was rewritten', async () => {
    const step = fc.tuple(fc.array(record, { maxLength: 6 }), fc.nat(40), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        const storage = new MemoryStorage();
        const again = new Manifest(storage, 'm', silentLog);
        let text = '';
        for (const [added, torn, isRewritten] of steps) {
          const lines = added.map((each) => `\n${JSON.stringify(each)}\n`).join('');
          text = isRewritten ? lines : text + lines;
          // The last line may be half written, and whole at the next look.
          storage.texts.set('m', text.slice(0, text.length - torn));
          await again.reload();
          const fresh = new Manifest(storage, 'm', silentLog);
          await fresh.reload();
          assert.deepEqual(again.state, fresh.state);
        }
      }),
    );
  });

  it('does not lose what is written while it is read', async () => {
    const storage = new MemoryStorage();
    const manifest = new Manifest(storage, 'm', silentLog);
    let goOn = () => {};
    storage.before = () => new Promise((resolve) => (goOn = resolve));
    const reading = manifest.reload();
    storage.before = async () => {};
    const read = goOn;
    const sending = { type: 'sending' as const, at: 1, name: 'a', path: 'a', hash: 'h', size: 1 };
    await manifest.append(sending);
    storage.texts.delete('m');
    read();
    await reading;
    assert.deepEqual(manifest.state.pendingUploads.get('a'), sending);
  });
});
