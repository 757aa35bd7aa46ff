import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { appendLine, rewriteLines } from '../../src/base/files/writeLines.ts';
import {
  manifestRecordSchema,
  readRecords,
  type ManifestRecord,
} from '../../src/knowledge/manifest/manifestRecords.ts';
import { ManifestState } from '../../src/knowledge/manifest/manifestState.ts';
import { valuesOf } from './fromSchema.ts';
import { spoilt } from './inputs.ts';
import type { Target } from './property.ts';

const texts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd1', 'd2', 'r1') },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'ä\u0308', '\n', '') },
);
const record = valuesOf(manifestRecordSchema, texts).map((value) => manifestRecordSchema.parse(value));
const records = fc.array(record, { maxLength: 12 });

function stateOf(list: Iterable<ManifestRecord>): ManifestState {
  const state = new ManifestState();
  for (const each of list) state.apply(each);
  return state;
}

/** A document has one name and one id, pending uploads aren't settled, an open run has something left. */
function assertConsistent({ documents, byId, pendingUploads, runs }: ManifestState): void {
  for (const [name, document] of documents) {
    assert.equal(document.name, name);
    assert.equal(byId.get(document.documentId), document);
  }
  assert.equal(byId.size, documents.size);
  for (const [name, sending] of pendingUploads) assert.equal(sending.name, name);
  for (const [id, { record: run, left, leftRemovals }] of runs) {
    assert.equal(run.run, id);
    const names = run.items.map(({ name }) => name);
    assert.ok([...left].every((name) => names.includes(name)));
    const removals = run.removals.map(({ documentId }) => documentId);
    assert.ok([...leftRemovals].every((documentId) => removals.includes(documentId)));
  }
}

const comparable = ({ documents, byId, pendingUploads }: ManifestState) => ({
  documents,
  byId,
  pendingUploads,
});
const lineOf = (value: unknown) => JSON.stringify(value);

/** Several windows append to a file and rewrite it at once, then its end is lost. */
const rounds = fc.array(
  fc.record({ added: fc.nat(4), rewrites: fc.nat(2), lost: fc.option(fc.nat(60), { nil: 0 }) }),
  { minLength: 1, maxLength: 4 },
);

/** The whole lines of a file, read independently of the product. */
function wholeLines(file: string): Set<string> {
  const lines = readFileSync(file, 'utf8').split('\n');
  return new Set(lines.filter((line) => /^\{"line":\d+,"of":"[^"]*"\}$/.test(line)));
}

export const target: Target = {
  'holds what can be read of it, whatever became of its lines': {
    runs: 1500,
    property: fc.property(
      records,
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.oneof(fc.string(), spoilt(record as fc.Arbitrary<fc.JsonValue>).map(lineOf), fc.nat()),
        ),
        { maxLength: 4 },
      ),
      (list, damages) => {
        const lines = list.map((each) => ({ text: lineOf(each), isWhole: true }));
        for (const [at, damage] of damages) {
          const place = at % (lines.length + 1);
          const torn = lines[place];
          if (typeof damage !== 'number')
            lines.splice(place, 0, { text: damage.replaceAll('\n', ' '), isWhole: false });
          else if (torn)
            lines[place] = { text: torn.text.slice(0, damage % torn.text.length), isWhole: false };
        }
        const read = [...readRecords(lines.map(({ text }) => text).join('\n'))];
        const kept = read.map(lineOf);
        let from = 0;
        for (const { text, isWhole } of lines) {
          if (!isWhole) continue;
          const place = kept.indexOf(text, from);
          assert.ok(place >= 0, text);
          from = place + 1;
        }
        for (const each of read) assert.ok(manifestRecordSchema.safeParse(each).success);
        assertConsistent(stateOf(read));
      },
    ),
  },
  'comes to the same when it is rewritten': {
    runs: 1500,
    property: fc.property(records, records, (before, after) => {
      const state = stateOf(before);
      assertConsistent(state);
      const short = [...state.snapshot()];
      assert.ok(short.length <= before.length);
      assert.deepEqual(comparable(stateOf(short)), comparable(state));
      assert.deepEqual(comparable(stateOf([...short, ...after])), comparable(stateOf([...before, ...after])));
    }),
  },
  'loses no line that was added, even if another window rewrites the file meanwhile': {
    runs: 60,
    property: fc.asyncProperty(rounds, fc.constantFrom('x', '\u2028', 'ä🎉'), async (all, of) => {
      const folder = mkdtempSync(join(tmpdir(), 'switchboard-fuzz-'));
      const file = join(folder, 'lines.jsonl');
      try {
        let expected = new Set<string>();
        let line = 0;
        for (const { added, rewrites, lost } of all) {
          const fresh = Array.from({ length: added }, () => lineOf({ line: ++line, of }));
          await Promise.all([
            ...fresh.map((each) => appendLine(file, each)),
            ...Array.from({ length: rewrites }, () =>
              rewriteLines(file, (text) =>
                [...new Set(text.split('\n'))]
                  .filter(Boolean)
                  .map((each) => `${each}\n`)
                  .join(''),
              ),
            ),
          ]);
          for (const each of fresh) expected.add(each);
          if (expected.size === 0) continue;
          assert.deepEqual(new Set([...wholeLines(file)].toSorted()), new Set([...expected].toSorted()));
          const { length } = readFileSync(file);
          truncateSync(file, Math.max(0, length - lost));
          expected = new Set([...wholeLines(file)].filter((each) => expected.has(each)));
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
  },
};
