import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FormField } from '../../../../src/apps/app.ts';
import { readParameters } from '../../../../src/apps/client/readParameters.ts';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const form = (...entries: unknown[]) =>
  plain(readParameters({ user_input_form: entries }).form) as FormField[];
const both = ['local_file', 'remote_url'];
const megabytes = (count: number) => count * 1024 * 1024;

describe('readParameters', () => {
  it('reads what the app says of itself', () => {
    const parameters = readParameters({
      opening_statement: 'Hello!',
      suggested_questions: ['A?', '', 'B?', 7],
      suggested_questions_after_answer: { enabled: true },
    });
    assert.equal(parameters.openingStatement, 'Hello!');
    assert.deepEqual(parameters.suggestedQuestions, ['A?', 'B?']);
    assert.equal(parameters.suggestsAfterAnswer, true);
  });

  it('reads every kind of field', () => {
    assert.deepEqual(
      form(
        { 'text-input': { variable: 'a', label: 'A', required: true, default: 'x', max_length: 48 } },
        { paragraph: { variable: 'b', label: '', required: false, default: '', max_length: 0 } },
        { select: { variable: 'd', label: 'D', required: true, options: ['x', 'y'], default: 'y' } },
        { json_object: { variable: 'j', label: 'J', required: false, default: { a: 1 } } },
      ),
      [
        { variable: 'a', label: 'A', isRequired: true, type: 'text', maxLength: 48, default: 'x' },
        { variable: 'b', label: 'b', isRequired: false, type: 'paragraph' },
        { variable: 'd', label: 'D', isRequired: true, type: 'select', options: ['x', 'y'], default: 'y' },
        { variable: 'j', label: 'J', isRequired: false, type: 'json', default: '{\n  "a": 1\n}' },
      ],
    );
  });

  it('reads what newer servers say of a field', () => {
    const field = { variable: 'a', label: 'A', required: true };
    const read = { variable: 'a', label: 'A', isRequired: true, type: 'text' };
    assert.deepEqual(
      form({ 'text-input': { ...field, placeholder: 'Ada', hint: 'Your name', hide: false } }),
      [{ ...read, placeholder: 'Ada', hint: 'Your name' }],
    );
    assert.deepEqual(form({ 'text-input': { ...field, default: 'x', hide: true } }), [
      { ...read, default: 'x', isHidden: true },
    ]);
    assert.deepEqual(form({ 'text-input': { ...field, required: false, hide: true } }), [
      { ...read, isRequired: false, isHidden: true },
    ]);
    const asked = form({ 'text-input': { ...field, hide: true } });
    assert.deepEqual(asked, [read], 'Without a value every request would be refused.');
  });

  it('reads the schema of a JSON field, an object or text, as far as it is understood', () => {
    const schemaOf = (schema: unknown) =>
      form({ json_object: { variable: 'j', json_schema: schema } })[0]?.jsonSchema;
    const schema = { type: 'object', properties: { a: { type: 'integer', minimum: 1 } }, required: ['a'] };
    const read = {
      ...{ type: ['object'], required: ['a'] },
      properties: { a: { type: ['integer'], minimum: 1 } },
    };
    assert.deepEqual(schemaOf(schema), read);
    assert.deepEqual(schemaOf(JSON.stringify(schema)), read);
    for (const useless of [undefined, null, '', 'x', 7, [], {}, { type: 7, properties: [], enum: 'a' }])
      assert.equal(schemaOf(useless), undefined);
    const listed = (entries: readonly unknown[]) => schemaOf({ type: 'string', enum: entries })?.enum;
    assert.deepEqual(listed(['a', 1, true]), ['a', 1, true]);
    assert.equal(listed(['a', { b: 1 }]), undefined);
    assert.deepEqual(
      [100, 101].map((length) => listed(Array(length).fill('a'))?.length),
      [100, undefined],
    );
    let deep: object = { type: 'object' };
    for (let depth = 0; depth < 10_000; depth++) deep = { items: deep };
    assert.ok(schemaOf(JSON.parse('{"type":"object"}')));
    assert.doesNotThrow(() =>
      readParameters({ user_input_form: [{ json_object: { variable: 'j', json_schema: deep } }] }),
    );
  });

  it('reads defaults of the right type and as text', () => {
    const defaults = (kind: string, ...given: unknown[]) =>
      given.map((value) => {
        const [field] = form({ [kind]: { variable: 'v', default: value, options: ['1', 'x'] } });
        return field?.default;
      });
    assert.deepEqual(defaults('number', 5, '5', '1.5', '', 'x', null), [
      5,
      5,
      1.5,
      undefined,
      undefined,
      undefined,
    ]);
    assert.deepEqual(defaults('checkbox', true, 'true', 1, false, 'false', 'x'), [
      true,
      true,
      true,
      false,
      false,
      undefined,
    ]);
    assert.deepEqual(defaults('text-input', 'a', 5, true, {}), ['a', '5', 'true', undefined]);
    assert.deepEqual(defaults('select', 'x', 'z'), ['x', undefined]);
  });

  it('reads file fields', () => {
    const file = {
      variable: 'f',
      label: 'F',
      required: true,
      allowed_file_types: ['document', 'custom'],
      allowed_file_extensions: ['.PDF', 'csv'],
      allowed_file_upload_methods: ['local_file', 'tool_file'],
      max_length: 5,
    };
    const read = { variable: 'f', label: 'F', isRequired: true };
    const files = { types: ['document', 'custom'], extensions: ['.pdf', '.csv'], methods: ['local_file'] };
    assert.deepEqual(form({ file }, { 'file-list': file }), [
      { ...read, type: 'file', files: { ...files, maxFiles: 1 } },
      { ...read, type: 'file-list', files: { ...files, maxFiles: 5 } },
    ]);
  });

  it('asks unknown kinds as text, and not for what the server fills or nothing can be sent for', () => {
    assert.deepEqual(
      form(
        { hologram: { variable: 'h', label: 'H', required: true } },
        { external_data_tool: { variable: 'e', required: true } },
        { type: 'number', variable: 'flat', label: 'Flat' },
        { 'text-input': { label: 'No name' } },
        {},
        'x',
        null,
      ),
      [
        { variable: 'h', label: 'H', isRequired: true, type: 'text' },
        { variable: 'flat', label: 'Flat', isRequired: false, type: 'number' },
      ],
    );
  });

  describe('on files of messages', () => {
    it('reads the rules of today', () => {
      assert.deepEqual(
        readParameters({
          file_upload: {
            enabled: true,
            image: { enabled: false, number_limits: 3, transfer_methods: ['local_file'] },
            allowed_file_types: ['image', 'document'],
            allowed_file_extensions: [],
            allowed_file_upload_methods: ['remote_url'],
            number_limits: 6,
          },
          system_parameters: {
            image_file_size_limit: 2,
            file_size_limit: '3',
            workflow_file_upload_limit: 10,
          },
        }).files,
        {
          isEnabled: true,
          types: ['image', 'document'],
          extensions: [],
          methods: ['remote_url'],
          maxFiles: 6,
          maxBytes: {
            image: megabytes(2),
            document: megabytes(3),
            audio: megabytes(50),
            video: megabytes(100),
            custom: megabytes(3),
          },
        },
      );
    });

    it('reads the rules of old servers, which know images alone', () => {
      const { files } = readParameters({
        file_upload: {
          image: { enabled: true, number_limits: 2, transfer_methods: ['remote_url', 'local_file'] },
        },
      });
      const { isEnabled, types, methods, maxFiles, maxBytes } = files;
      assert.deepEqual(
        { isEnabled, types, methods: methods.toSorted(), maxFiles },
        { isEnabled: true, types: ['image'], methods: both, maxFiles: 2 },
      );
      assert.equal(maxBytes.image, megabytes(10));
    });

    it('takes none where nothing is said, or files are switched off', () => {
      assert.equal(readParameters({}).files.isEnabled, false);
      assert.equal(
        readParameters({ file_upload: { enabled: false, image: { enabled: true } } }).files.isEnabled,
        false,
      );
    });
  });

  it('takes any JSON', () => {
    const field = fc.constantFrom(
      'text-input',
      'file',
      'number',
      'select',
      'variable',
      'default',
      'options',
      'user_input_form',
      'file_upload',
      'image',
      'enabled',
      'system_parameters',
      'suggested_questions',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(field, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(field, value), (body) => {
        for (const { variable } of readParameters(body).form) assert.ok(variable);
      }),
    );
  });
});
