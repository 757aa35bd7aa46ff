import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import {
  type RefusedInput,
  runWithInputs,
  toPipelineError,
} from '../../../../src/knowledge/upload/pipelineRun.ts';
import type { PipelineFile, StartedPipeline } from '../../../../src/platform/records.ts';

const refusal = (why: string, serverCode = 'pipeline_run_error') =>
  new SwitchboardError('request', "The pipeline couldn't be run.", { why, serverCode, status: 500 });
const files = ['a.md', 'b.md', 'c.md'].map((name) => ({ id: name, name }));

describe('running a pipeline', () => {
  let runs: string[];
  let asked: RefusedInput[];

  beforeEach(() => {
    runs = [];
    asked = [];
  });

  /** Plays outcomes in turn, then success, and answers each question with the next answer. */
  function runPipeline(
    outcomes: readonly (SwitchboardError | undefined)[],
    answers: readonly string[] = [],
    inputs = new Map<string, string>(),
  ): Promise<StartedPipeline | undefined> {
    return runWithInputs({
      files,
      inputs,
      run: async (some: readonly PipelineFile[], given) => {
        runs.push(`${some.map(({ id }) => id).join()} ${JSON.stringify(given)}`);
        const failure = outcomes[runs.length - 1];
        if (failure) throw failure;
        return { documents: some.map(({ id }) => ({ id })) };
      },
      ask: async (input) => {
        asked.push(input);
        return answers[asked.length - 1];
      },
    });
  }

  it('tries the inputs with one file, as a refused run leaves its documents, then sends the others', async () => {
    const started = await runPipeline([refusal('size is required in input form')], ['500']);
    assert.deepEqual(runs, ['a.md {}', 'a.md {"size":"500"}', 'b.md,c.md {"size":"500"}']);
    assert.deepEqual(asked, [{ variable: 'size', why: 'size is required in input form' }]);
    assert.deepEqual(started, { documents: files.map(({ id }) => ({ id })) });
  });

  it('begins with the inputs that it has', async () => {
    await runPipeline([], [], new Map([['size', '500']]));
    assert.deepEqual(runs, ['a.md {"size":"500"}', 'b.md,c.md {"size":"500"}']);
  });

  it('runs nothing more when a question is dismissed', async () => {
    assert.equal(await runPipeline([refusal('size is required in input form')]), undefined);
    assert.equal(runs.length, 1);
  });

  it('asks again for what was refused, with the options where the server lists them', async () => {
    const why = `tone in input form must be one of the following: ["the sea's", 'land']`;
    const long = 'tone in input form must be less than 3 characters';
    await runPipeline([refusal(why), refusal(long)], ['land', 'sea'], new Map([['tone', 'sky']]));
    assert.deepEqual(asked, [
      { variable: 'tone', answer: 'sky', why, options: ["the sea's", 'land'] },
      { variable: 'tone', answer: 'land', why: long },
    ]);
    const cut = "tone in input form must be one of the following: ['sea', 'la…";
    runs = [];
    await runPipeline([refusal(cut)]);
    assert.deepEqual(asked[2], { variable: 'tone', why: cut });
  });

  it('asks about nothing that text cannot answer, nor about other failures', async () => {
    for (const failure of [
      refusal('picture in input form must be a file'),
      refusal('Upload file not found'),
      refusal('size is required in input form', 'unknown'),
    ]) {
      runs = [];
      await assert.rejects(runPipeline([failure], ['x']), (error) => error === failure);
    }
    assert.deepEqual(asked, []);
  });

  it('takes any name for an input', async () => {
    await runPipeline([refusal('__proto__ is required in input form')], ['1']);
    assert.equal(runs[1], 'a.md {"__proto__":"1"}');
  });

  it('tells the others as failed when the first document is on its way', async () => {
    const started = await runPipeline([undefined, refusal('Boom')]);
    assert.deepEqual(
      started?.documents.map(({ id, error }) => [id, error]),
      [
        ['a.md', undefined],
        ['b.md', "The pipeline couldn't be run."],
        ['c.md', "The pipeline couldn't be run."],
      ],
    );
  });

  it('names an unpublished pipeline, keeping what the server said', () => {
    const original = refusal('Pipeline or workflow not found', 'invalid_param');
    const error = toPipelineError(original, 'Docs');
    assert.ok(error instanceof SwitchboardError);
    assert.match(error.message, /^The pipeline of "Docs" isn't published\./);
    assert.equal(error.why, original.why);
    const other = refusal('Dataset not found.', 'not_found');
    assert.equal(toPipelineError(other, 'Docs'), other);
  });
});
