import assert from 'node:assert/strict';
import type { AppClient } from '../../../src/apps/client/appClient.ts';
import { toReference } from '../../../src/apps/fileReferences.ts';
import fc from 'fast-check';
import type { FormField } from '../../../src/apps/app.ts';
import {
  answersAgain,
  answersFrom,
  checkAnswers,
  type FormAnswer,
  initialAnswers,
  problemWith,
  toInputs,
} from '../../../src/apps/appForm.ts';
import { defaultMaxBytes } from '../../../src/apps/client/appFiles.ts';
import { readParameters } from '../../../src/apps/client/readParameters.ts';
import type { ChosenFile } from '../../../src/apps/fileChoice.ts';

const base = { variable: 'v', label: 'V', isRequired: false };
const text: FormField = { ...base, type: 'text', maxLength: 3 };
const number: FormField = { ...base, type: 'number' };
const select: FormField = { ...base, type: 'select', options: ['a', 'b'] };
const checkbox: FormField = { ...base, type: 'checkbox' };
const json: FormField = { ...base, type: 'json' };
const files: FormField = {
  ...base,
  type: 'file-list',
  files: { types: ['document', 'custom'], extensions: ['.log'], methods: ['local_file'], maxFiles: 2 },
};
const every = [text, number, select, checkbox, json, files, { ...base, type: 'paragraph' } as const];
const local = (name: string, size = 1): ChosenFile => ({ method: 'local_file', name, size });
const problem = (field: FormField, answer: FormAnswer | undefined) =>
  problemWith(field, answer, defaultMaxBytes);

describe('checkAnswers', () => {
  it('wants what is required, except ticks', () => {
    for (const field of every) {
      const needed = { ...field, isRequired: true };
      assert.equal(problem(field, undefined), undefined);
      assert.equal(problem(needed, undefined), field.type === 'checkbox' ? undefined : 'Required');
      assert.equal(
        problem(needed, field === files ? [] : ''),
        field.type === 'checkbox' ? undefined : 'Required',
      );
    }
  });

  it('counts characters as the server does', () => {
    assert.equal(problem(text, '🎉🎉🎉'), undefined);
    assert.match(problem(text, 'abcd') ?? '', /Maximum 3 .*4 entered/);
  });

  it('knows numbers, options and JSON objects', () => {
    for (const good of ['5', ' 1.5 ', 7, '-1e3'])
      assert.equal(problem(number, good), undefined, String(good));
    for (const bad of ['five', '1,5', ' ', '1 2', true]) assert.ok(problem(number, bad), String(bad));
    assert.equal(problem(select, 'a'), undefined);
    assert.match(problem(select, 'c') ?? '', /a, b/);
    assert.equal(problem(json, '{"a":1}'), undefined);
    for (const bad of ['[1]', '{', '5']) assert.ok(problem(json, bad), bad);
  });

  it('checks a JSON object by the schema of its field', () => {
    const field: FormField = {
      ...json,
      jsonSchema: { type: 'object', properties: { radar: { type: 'boolean' } }, required: ['radar'] },
    };
    assert.equal(problem(field, '{"radar": true, "more": 1}'), undefined);
    assert.equal(
      problem(field, '{"radar": 1}'),
      "Doesn't match the field's JSON schema: expected boolean at radar.",
    );
    assert.match(problem(field, '{}') ?? '', /expected a property radar/);
    assert.equal(problem(field, '[]'), 'Enter a JSON object.');
  });

  it('has nothing against a hidden default, which nobody could correct', () => {
    const hidden: FormField = { ...text, isRequired: true, isHidden: true, default: 'too long' };
    assert.equal(problem(hidden, 'too long'), undefined);
    assert.equal(problem(hidden, undefined), undefined);
    assert.match(problem(hidden, 'longer') ?? '', /^Maximum 3/);
  });

  it('checks files by type, size, way and number', () => {
    assert.equal(problem(files, [local('a.pdf'), local('b.LOG')]), undefined);
    assert.match(
      problem(files, [local('a.pdf'), local('b.pdf'), local('c.pdf')]) ?? '',
      /Maximum 2 .*3 chosen/,
    );
    assert.match(problem(files, [local('a.png')]) ?? '', /"a\.png".*documents, \.log/);
    assert.match(problem(files, [local('a.pdf', 15 * 1024 * 1024 + 1)]) ?? '', /15\.1 MB.* 15 MB/);
    assert.ok(problem(files, [{ method: 'remote_url', url: 'https://a.example/a.pdf' }]));
  });

  it('names each field once, in the order of the form', () => {
    const form = [
      { ...number, variable: 'n' },
      { ...text, variable: 't' },
      { ...select, variable: 's' },
    ];
    const found = checkAnswers(form, { n: 'x', t: 'ok', s: 'z' }, defaultMaxBytes);
    assert.deepEqual(
      found.map(({ variable }) => variable),
      ['n', 's'],
    );
  });
});

describe('toInputs', () => {
  it('sends each kind as the server wants it, and leaves out what was not answered', async () => {
    const form = every.map((field, index): FormField => ({ ...field, variable: `v${index}` }));
    const answers = { v0: 'abc', v1: '5', v2: 'a', v3: true, v4: '{"a":1}', v5: [local('a.pdf')], v6: '' };
    const inputs = await toInputs(form, answers, async () => ({
      type: 'document',
      method: 'local_file',
      uploadFileId: 'u1',
    }));
    const file = { type: 'document', transfer_method: 'local_file', upload_file_id: 'u1' };
    assert.deepEqual(inputs, { v0: 'abc', v1: 5, v2: 'a', v3: true, v4: { a: 1 }, v5: [file] });
  });

  it('sends a single file alone', async () => {
    const field: FormField = { ...files, type: 'file' };
    const url = 'https://a.example/a.pdf';
    const inputs = await toInputs([field], { v: [{ method: 'remote_url', url }] }, async () => ({
      type: 'document',
      method: 'remote_url',
      url,
    }));
    assert.deepEqual(inputs, { v: { type: 'document', transfer_method: 'remote_url', url } });
  });

  it('turns every answer without a problem into a value of the right type', async () => {
    const answer = fc.oneof(
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constantFrom('a', 'b', '{"x":1}', '7'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...every.filter((field) => field !== files)),
        answer,
        async (field, given) => {
          const needed = { ...field, isRequired: true };
          if (problem(needed, given)) return;
          const { v } = await toInputs([needed], { v: given }, () => Promise.reject(new Error('no file')));
          const type =
            { number: 'number', checkbox: 'boolean', json: 'object' }[field.type as string] ?? 'string';
          assert.equal(typeof v, type);
        },
      ),
    );
  });
});

describe('a hidden field', () => {
  const hidden: FormField = { ...text, isHidden: true, default: 'x' };
  const never = () => Promise.reject(new Error('There are no files.'));

  it('is sent with its default, also where no answers were prepared, and with what a table has for it', async () => {
    assert.deepEqual(await toInputs([hidden], {}, never), { v: 'x' });
    assert.deepEqual(await toInputs([hidden], { v: 'y' }, never), { v: 'y' });
  });

  it('takes no answer of an earlier form that showed it', () => {
    assert.deepEqual(initialAnswers([hidden], { v: 'y' }), { v: 'x' });
  });
});

describe('initialAnswers', () => {
  it('takes the answers of last time as far as they still fit, else the defaults', () => {
    const form: FormField[] = [
      { ...text, variable: 'a', default: 'x' },
      { ...select, variable: 'b', default: 'b' },
      { ...checkbox, variable: 'c', default: true },
      { ...number, variable: 'd' },
      { ...files, variable: 'e' },
    ];
    assert.deepEqual(initialAnswers(form), { a: 'x', b: 'b', c: true });
    const another = { a: '', b: 'a', c: false, d: true };
    assert.deepEqual(initialAnswers(form, another), { a: 'x', b: 'a', c: false });
    assert.deepEqual(initialAnswers(form, { a: 5 }), initialAnswers(form), 'a number is no text');
    assert.deepEqual(initialAnswers(form, { a: 'y', b: 'gone', c: 'yes', d: 5, e: 'x', f: 'old' }), {
      a: 'y',
      b: 'b',
      c: true,
      d: 5,
    });
  });

  it('takes what an earlier run was given, as far as it still fits', () => {
    const { form: fields } = readParameters({
      user_input_form: [
        { 'text-input': { variable: 'text', default: 'D' } },
        { number: { variable: 'count' } },
        { select: { variable: 'tone', options: ['a', 'b'], default: 'b' } },
        { json_object: { variable: 'more' } },
        { checkbox: { variable: 'urgent' } },
        { file: { variable: 'doc' } },
      ],
    });
    const inputs = { text: 'T', count: 3, tone: 'gone', more: { a: 1 }, urgent: false, doc: { url: 'x' } };
    assert.deepEqual(answersFrom(fields, { ...inputs, other: 'x' }), {
      ...{ text: 'T', count: 3, tone: 'b', more: '{\n  "a": 1\n}', urgent: false },
    });
    for (const given of [['x'], { a: 1 }])
      assert.deepEqual(answersFrom(fields, { text: given, more: 'x' }), { text: 'D', tone: 'b', more: 'x' });
  });

  it("takes a conversation's inputs again, with the files that the form still accepts", async () => {
    const accepted = { type: 'image', allowed_file_types: ['image', 'document'] };
    const { form: fields, files: rules } = readParameters({
      user_input_form: [
        { 'text-input': { variable: 'boat' } },
        { file: { variable: 'chart', ...accepted } },
        { 'file-list': { variable: 'photos', ...accepted, max_length: 3 } },
        { file: { variable: 'log', ...accepted } },
      ],
    });
    const upload = (type: string, id: string) => ({
      ...{ type, transfer_method: 'local_file', upload_file_id: id },
    });
    const remote = { type: 'image', transfer_method: 'remote_url', url: 'https://a.example/b.png' };
    const inputs = {
      boat: 'Dione',
      chart: upload('document', 'u1'),
      photos: [upload('image', 'u2'), remote, upload('video', 'u3')],
    };
    const log = { method: 'local_file', name: 'log.md', size: 5, realPath: '/w/log.md' } as const;
    const chosen = { chart: [{ ...log, name: 'chart.pdf' }], log: [log] };
    const answers = answersAgain(fields, inputs, chosen, rules.maxBytes);
    const sent = (name: string, type: 'document' | 'image', uploadFileId: string) => ({
      ...{ method: 'sent', name, reference: { type, method: 'local_file', uploadFileId } },
    });
    assert.deepEqual(answers, {
      boat: 'Dione',
      chart: [sent('chart.pdf', 'document', 'u1')],
      photos: [sent('File sent before', 'image', 'u2'), { method: 'remote_url', url: remote.url }],
      log: [log],
    });
    const uploaded: string[] = [];
    const again = await toInputs(fields, answers, (file, limits) =>
      toReference(file, limits, {
        ...{ signal: new AbortController().signal, onUpload: (name) => uploaded.push(name) },
        client: {} as AppClient,
        files: () => Promise.reject(new Error('reads no file')),
      }).catch(() => ({ type: 'document', method: 'local_file', uploadFileId: 'new' })),
    );
    assert.deepEqual(again, {
      ...{ boat: 'Dione', chart: upload('document', 'u1'), photos: [upload('image', 'u2'), remote] },
      log: upload('document', 'new'),
    });
  });
});
