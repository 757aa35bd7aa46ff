import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { SearchResult } from '../../../src/knowledge/searchKnowledge.ts';
import { PlaceMatcher } from '../../../src/knowledgeTests/placeMatch.ts';
import { runQuestion } from '../../../src/knowledgeTests/runQuestion.ts';
import { findBases, type TestedKnowledge } from '../../../src/knowledgeTests/testedKnowledge.ts';
import { readTestFile } from '../../../src/knowledgeTests/testFile.ts';
import { describeMeasures, measure, reportLines } from '../../../src/knowledgeTests/testReport.ts';
import { emptyDataset } from '../../support/emptyDataset.ts';

const rules = '# Rules\n\nBoats wait outside\nthe wall.\n\nThree knots in the basin.\n';
const files = new Map([['notes/rules.md', rules]]);
const { signal } = new AbortController();

const segment = (content: string, documentName = 'app/notes/rules.md', origin = true): SearchResult => ({
  ...{ datasetId: 'd', datasetName: 'Docs', documentId: documentName, documentName, content, position: 7 },
  segmentId: content,
  ...(origin && { origin: { path: documentName.slice(documentName.indexOf('/') + 1) } }),
});
const wall = segment('Boats wait outside the wall.');
const basin = segment('Three knots in the basin.');
const foreign = segment('Tides rise.', 'elsewhere/tides.pdf', false);

interface Setting {
  /** A problem that the file is to have. */
  problem?: RegExp;
  results?: SearchResult[];
  failure?: SwitchboardError;
  documents?: { name: string; display?: string; isEnabled?: boolean; segments?: string[] }[];
  deepFails?: boolean;
}

/** Runs the question of a file, and says how often the platform was searched, and for how many results. */
async function run(
  fields: string,
  { problem, results = [], failure, documents = [], deepFails = false }: Setting,
) {
  const searched: number[] = [];
  const tested = {
    log: { debug() {}, info() {}, warn() {}, error() {} },
    knowledge: {
      originOf: async () => undefined,
      async search({ topK }: { topK: number }) {
        searched.push(topK);
        if (deepFails && searched.length > 1) throw new SwitchboardError('request', 'top_k is too large');
        const failures = failure ? [{ datasetId: 'd', error: failure }] : [];
        return { results: results.slice(0, topK), failures };
      },
    },
    client: {
      documents: {
        list: async (_: string, { keyword = '' }: { keyword?: string }) => ({
          hasMore: false,
          items: documents
            .filter(({ name }) => name.includes(keyword))
            .map(({ name, display = 'available', isEnabled = true }) => ({
              id: name,
              name,
              display,
              isEnabled,
            })),
        }),
      },
      segments: {
        list: async ({ documentId }: { documentId: string }) => ({
          hasMore: false,
          items: (documents.find(({ name }) => name === documentId)?.segments ?? []).map(
            (content, index) => ({
              ...{ content, position: index + 1, isEnabled: !content.startsWith('(off)') },
            }),
          ),
        }),
      },
    },
  } as unknown as TestedKnowledge;
  const { questions, problems } = readTestFile(
    `knowledge: Docs\nquestions:\n  - { question: Why?, ${fields} }`,
  );
  if (problem) assert.match(problems[0]?.message ?? '', problem);
  else assert.deepEqual(problems, []);
  const matcher = new PlaceMatcher({ read: async (path) => files.get(path), pathOf: (file) => file });
  const outcome = await runQuestion(tested, [emptyDataset('d')], questions[0]!, matcher, signal);
  return { outcome, searched, report: reportLines({ text: 'Why?', outcome }).map((line) => line.trim()) };
}

describe('a knowledge test', () => {
  it('passes when a segment of the file has one of the lines', async () => {
    const { outcome, searched } = await run('find: { file: notes/rules.md, lines: 4-6 }', {
      results: [foreign, wall],
    });
    assert.deepEqual([outcome.type, 'rank' in outcome && outcome.rank], ['passed', 2]);
    assert.deepEqual(searched, [6]);
  });

  it('is missed when the file has other lines, and says at which rank the right segment is', async () => {
    const { outcome, searched, report } = await run('top: 1, find: { file: notes/rules.md, lines: 6 }', {
      results: [wall, foreign, foreign, foreign, basin],
    });
    assert.equal(outcome.type, 'missed');
    assert.deepEqual(searched, [3, 50]);
    assert.deepEqual(report, [
      '✗   –  Why?',
      'Missed notes/rules.md:6: notes/rules.md:6 should match. It is result 5.',
      'Found: 1. notes/rules.md:3-4',
    ]);
  });

  it('is missed when the place is found behind the results that must hold it', async () => {
    const { outcome, report } = await run('top: 1, find: { file: notes/rules.md, lines: 6 }', {
      results: [wall, basin],
    });
    assert.deepEqual([outcome.type, 'rank' in outcome && outcome.rank], ['missed', 2]);
    assert.match(report[1] ?? '', /It is result 2\.$/);
  });

  it('compares words without case and line breaks, and wants all of them', async () => {
    const results = [segment('Boats WAIT outside\n  the wall.')];
    const type = async (words: string) =>
      (await run(`find: { file: notes/rules.md, words: ${words} }`, { results })).outcome.type;
    assert.equal(await type('[outside the WALL, boats]'), 'passed');
    assert.equal(await type('[outside the wall, knots]'), 'missed');
  });

  it('wants every place, and measures by the first', async () => {
    const { outcome, report } = await run('find: [{ file: notes/rules.md, lines: 6 }, { file: b.md }]', {
      results: [wall, basin],
    });
    assert.deepEqual([outcome.type, 'rank' in outcome && outcome.rank], ['missed', 2]);
    assert.deepEqual(report.slice(0, 2), ['✗   2  Why?', "Missed b.md: b.md isn't in the knowledge base."]);
  });

  it('knows documents of others by their name in whatever workspace, those from here by their file alone', async () => {
    const type = async (file: string, result: SearchResult) =>
      (await run(`find: { file: ${file} }`, { results: [result] })).outcome.type;
    assert.equal(await type('tides.pdf', foreign), 'passed');
    assert.equal(await type('elsewhere/tides.pdf', foreign), 'passed');
    assert.equal(await type('ides.pdf', foreign), 'missed');
    assert.equal(await type('docs/tides.pdf', segment('x', 'app\u2215docs\u2215tides.pdf', false)), 'passed');
    assert.equal(await type('tides.pdf', segment('x', 'app/docs/tides.pdf', false)), 'missed');
    assert.equal(await type('tides.pdf', segment('x', 'app/tides.pdf (lines 3-9)', false)), 'passed');
    // A folder that is named like its workspace.
    assert.equal(await type('app/rules.md', segment('x', 'app/rules.md')), 'missed');
  });

  it('says which segment no search gave, or why there is none', async () => {
    const missed = async (documents: Setting['documents'], deepFails = false) =>
      (
        await run('find: { file: notes/rules.md, words: knots }', {
          results: [wall],
          documents: documents!,
          deepFails,
        })
      ).report[1];
    const name = 'app/notes/rules.md';
    const segments = ['Boats wait.', 'Three knots in the basin.'];
    const head = 'Missed notes/rules.md "knots": ';
    assert.equal(
      await missed([{ name, segments }]),
      `${head}Segment 2 of notes/rules.md should match. It isn't among the first 50 results.`,
    );
    assert.equal(await missed([{ name, segments }], true), await missed([{ name, segments }]));
    assert.match((await missed([{ name, segments: ['(off) knots'] }]))!, /should match, but it is disabled/);
    assert.match((await missed([{ name, segments: ['Boats'] }]))!, /No segment of .* Was it changed since\?/);
    assert.match((await missed([{ name, isEnabled: false }]))!, /is disabled in the knowledge base/);
    assert.match((await missed([{ name, display: 'error' }]))!, /isn't indexed yet/);
    assert.match((await missed([]))!, /isn't in the knowledge base/);
  });

  it('does not run where the lines are unknown or the search failed, and says so', async () => {
    const message = async (fields: string, setting: Setting = {}) => {
      const { outcome, searched } = await run(fields, setting);
      assert.ok(outcome.type === 'failed');
      return [outcome.message, searched.length];
    };
    const [unknown, asked] = await message('find: { file: tides.pdf, lines: 3 }');
    assert.match(String(unknown), /its lines are unknown. Use words instead/);
    assert.equal(asked, 0);
    assert.deepEqual(await message('find: { file: notes/rules.md, lines: 3-12 }'), [
      'notes/rules.md has only 7 lines.',
      0,
    ]);
    assert.deepEqual(await message('answer: x, find: { file: notes/rules.md }', { problem: /"answer"/ }), [
      'Unknown field "answer". Known are: question, find, top.',
      0,
    ]);
    const failure = new SwitchboardError('offline', 'The platform is down.');
    assert.deepEqual(await message('find: { file: a.md }', { failure }), ['The platform is down.', 1]);
  });
});

describe('the knowledge bases of a test', () => {
  const datasets = [
    { ...emptyDataset('1'), name: 'Docs' },
    { ...emptyDataset('2'), name: 'Twin' },
    { ...emptyDataset('3'), name: 'Twin' },
    { ...emptyDataset('4'), name: 'Away', isUnsearchable: true },
  ];
  const ids = (...names: string[]) => findBases(names, datasets).map(({ id }) => id);

  it('are found by name or id, each once', () => {
    assert.deepEqual(ids('Docs', '3', '1'), ['1', '3']);
  });

  it('are refused when there is none, there are several, or none can search it', () => {
    assert.throws(() => ids('Docs', 'Gone'), /no knowledge base "Gone"/);
    assert.throws(() => ids('Twin'), /Several knowledge bases are named "Twin"/);
    assert.throws(() => ids('Away'), /doesn't search the external/);
  });
});

describe('the report of knowledge tests', () => {
  const at = (rank?: number) => ({
    text: 'q',
    outcome: { type: rank ? 'passed' : 'missed', places: [], found: [], ...(rank && { rank }) } as const,
  });
  const failed = { text: 'q', outcome: { type: 'failed', message: 'No key' } as const };

  it('measures hit@1, hit@3 and MRR over the questions that ran', () => {
    const measures = measure([at(1), at(2), at(5), at(), failed]);
    assert.deepEqual(measures, { passed: 3, missed: 1, failed: 1, hitAt1: 0.25, hitAt3: 0.5, mrr: 1.7 / 4 });
    assert.equal(
      describeMeasures(measures),
      "5 questions · 3 passed · 1 missed · 1 couldn't run · hit@1 25 % · hit@3 50 % · MRR 0.43",
    );
    assert.equal(describeMeasures(measure([failed])), "1 question · 0 passed · 1 couldn't run");
  });
});
