import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import type { SearchResult } from '../../../src/knowledge/searchKnowledge.ts';
import { PlaceMatcher } from '../../../src/knowledgeTests/placeMatch.ts';
import { type Answers, runQuestion } from '../../../src/knowledgeTests/runQuestion.ts';
import { groundedAnswer } from '../../../src/knowledgeTests/groundedAnswer.ts';
import { findBases, type TestedKnowledge } from '../../../src/knowledgeTests/testedKnowledge.ts';
import { readTestFile } from '../../../src/knowledgeTests/testFile.ts';
import { describeMeasures, measure, reportLines } from '../../../src/knowledgeTests/testReport.ts';
import type { SearchSettings } from '../../../src/platform/searchSettings.ts';
import type { ModelRequest } from '../../../src/relay/messages.ts';
import type { AskModel } from '../../../src/relay/streamModel.ts';
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
  settings?: SearchSettings;
  answers?: Answers;
}

/** Runs the question of a file, and says how often the platform was searched, and for how many results. */
async function run(
  fields: string,
  {
    problem,
    results = [],
    failure,
    documents = [],
    deepFails = false,
    settings,
    answers = { skipped: 'No model.' },
  }: Setting,
) {
  const searched: number[] = [];
  const tested = {
    log: { debug() {}, info() {}, warn() {}, error() {} },
    knowledge: {
      originOf: async () => undefined,
      searchSettings: () => settings,
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
  const setting = { tested, datasets: [emptyDataset('d')], matcher, answers };
  const outcome = await runQuestion(setting, questions[0]!, signal);
  return { outcome, searched, report: reportLines({ text: 'Why?', outcome }).map((line) => line.trim()) };
}

describe('a knowledge test', () => {
  it('passes when a segment of the file has one of the lines', async () => {
    const { outcome, searched, report } = await run('find: { file: notes/rules.md, lines: 4-6 }', {
      results: [foreign, wall],
    });
    assert.deepEqual(report, ['✓   2  Why?']);
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
    assert.deepEqual(await message('answers: x, find: { file: notes/rules.md }', { problem: /"answers"/ }), [
      'Unknown field "answers". Known fields: question, find, top, answer.',
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

describe('the answer of a knowledge test', () => {
  const find = 'find: { file: notes/rules.md, lines: 6 }, answer: [Three KNOTS, basin]';
  const answering = (text: string) => {
    const asked: unknown[] = [];
    const ask = async (question: string, found: readonly SearchResult[]) => {
      asked.push([question, found]);
      return text;
    };
    return { asked, answers: { ask } };
  };

  it('is asked for with the results that must hold the places, and must contain all words', async () => {
    const { asked, answers } = answering('At most **three\nknots** in the basin [1].');
    const results = [basin, wall, foreign];
    const { outcome, report } = await run(`top: 2, ${find}`, { results, answers });
    assert.deepEqual(outcome.type, 'passed');
    assert.deepEqual(asked, [['Why?', [basin, wall]]]);
    assert.equal(report.length, 1);
  });

  it('makes the test red when words are missing, and is shown with them', async () => {
    const { answers } = answering('As fast as you like in the basin.');
    const { outcome, report } = await run(find, { results: [basin], answers });
    assert.equal(outcome.type, 'missed');
    assert.deepEqual(report, [
      '✗   1  Why?',
      'The answer lacks "Three KNOTS".',
      'Answer: As fast as you like in the basin.',
    ]);
  });

  it('is not asked for when a place was missed', async () => {
    const { asked, answers } = answering('three knots in the basin');
    const { outcome } = await run(find, { results: [wall], answers });
    assert.deepEqual([outcome.type, asked], ['missed', []]);
  });

  it('counts as skipped without a model, never as passed', async () => {
    const { outcome, report } = await run(find, { results: [basin] });
    assert.equal(outcome.type, 'skipped');
    assert.deepEqual(report, ['○   1  Why?', 'The answer was not checked: No model.']);
    const measures = measure([{ text: 'Why?', outcome }]);
    assert.deepEqual([measures.passed, measures.skipped, measures.hitAt1], [0, 1, 1]);
    assert.match(describeMeasures(measures), /^1 question · 0 passed · 1 skipped · hit@1 100 %/);
  });

  it('says why the model gave none, and throws only when aborted', async () => {
    const failing = async () =>
      Promise.reject(new SwitchboardError('budget', 'Stopped at your daily budget.'));
    const { report } = await run(find, { results: [basin], answers: { ask: failing } });
    assert.deepEqual(report, ['!   –  Why?', "The model didn't answer: Stopped at your daily budget."]);
  });

  it('is answered from the message that a conversation sends', async () => {
    const requests: ModelRequest[] = [];
    const ask: AskModel = async (request, _, onEvent) => {
      requests.push(request);
      await onEvent({ type: 'textAdded', text: 'Three ' });
      await onEvent({ type: 'textAdded', text: 'knots.' });
    };
    const settings = { model: 'm', stream: false };
    const question = { question: 'How fast?', found: [basin, wall] };
    assert.equal(await groundedAnswer(ask, settings, question, signal), 'Three knots.');
    const [{ messages, ...rest }] = requests as [ModelRequest];
    assert.deepEqual(rest, settings);
    const content = String(messages[0]?.content);
    assert.match(content, /^<knowledge-\w+>\nFound in the chosen knowledge bases/);
    assert.match(
      content,
      /cite="\[1\]" [^>]*>\nThree knots in the basin\.[^]*cite="\[2\]"[^]*>\n\nHow fast\?$/,
    );
  });
});

describe('the number of results of a knowledge test', () => {
  it('is the one of the search settings, unless the test has its own', async () => {
    const settings = { topK: 1 };
    const find = 'find: { file: notes/rules.md, lines: 6 }';
    const results = [wall, basin];
    assert.equal((await run(find, { results })).outcome.type, 'passed');
    assert.equal((await run(find, { results, settings })).outcome.type, 'missed');
    assert.equal((await run(`top: 2, ${find}`, { results, settings })).outcome.type, 'passed');
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
    assert.deepEqual(measures, {
      passed: 3,
      missed: 1,
      skipped: 0,
      failed: 1,
      hitAt1: 0.25,
      hitAt3: 0.5,
      mrr: 1.7 / 4,
    });
    assert.equal(
      describeMeasures(measures),
      "5 questions · 3 passed · 1 missed · 1 couldn't run · hit@1 25 % · hit@3 50 % · MRR 0.43",
    );
    assert.equal(describeMeasures(measure([failed])), "1 question · 0 passed · 1 couldn't run");
  });
});
