import assert from 'node:assert/strict';
import type { AcceptedFiles, FormField } from '../../../../src/apps/app.ts';
import { choosePrefill, type EditorInput } from '../../../../src/apps/run/choosePrefill.ts';

const text = (variable: string, more: Partial<FormField> = {}): FormField => ({
  type: 'paragraph',
  variable,
  label: variable,
  isRequired: false,
  ...more,
});
const file = (types: string[], methods: AcceptedFiles['methods'] = ['local_file']): FormField => ({
  type: 'file',
  variable: 'file',
  label: 'File',
  isRequired: true,
  files: { types, extensions: [], methods },
});
const chosen = { method: 'local_file', name: 'a.md', size: 3, realPath: '/w/a.md' } as const;
const input: EditorInput = { text: 'one\ntwo', redacted: 'one\ntwo', from: 'a.md', file: chosen };
const prefilled = (form: FormField[], given = input) => choosePrefill(form, given)?.variable;

describe('choosing the field that takes what the editor gives', () => {
  it('prefers what is required, then what the text fits into, then what keeps its lines', () => {
    assert.equal(prefilled([text('first'), text('needed', { isRequired: true })]), 'needed');
    assert.equal(prefilled([text('short', { maxLength: 3 }), text('long', { maxLength: 7 })]), 'long');
    assert.equal(prefilled([text('line', { type: 'text' }), text('lines')]), 'lines');
    assert.equal(prefilled([text('one', { isRequired: true, maxLength: 3 }), text('other')]), 'one');
    assert.equal(prefilled([text('first'), text('second')]), 'first');
  });

  it('takes the field of a pinned app before all, while the app has it as a text', () => {
    const form = [text('needed', { isRequired: true }), text('own'), file(['document'])];
    assert.equal(choosePrefill(form, input, 'own')?.variable, 'own');
    assert.equal(choosePrefill(form, input, 'gone')?.variable, 'needed');
    assert.equal(choosePrefill(form, input, 'file')?.variable, 'needed');
  });

  it('gives the whole text, also where it is too long: that is for the form to say', () => {
    const given = choosePrefill([text('short', { maxLength: 3 })], input);
    assert.deepEqual(given, { variable: 'short', answer: 'one\ntwo' });
  });

  it('gives the file itself to a form that asks for no text, if it takes such a file', () => {
    assert.deepEqual(choosePrefill([file(['document'])], input), { variable: 'file', answer: [chosen] });
    assert.equal(prefilled([file(['image'])]), undefined);
    assert.equal(prefilled([file(['document'], ['remote_url'])]), undefined);
  });

  it('gives nothing where nothing fits: a selection is no file', () => {
    const selection = { text: 'one', redacted: 'one', from: 'a.md, line 1' };
    assert.equal(prefilled([file(['document'])], selection), undefined);
    assert.equal(prefilled([{ type: 'number', variable: 'n', label: 'n', isRequired: true }]), undefined);
    assert.equal(prefilled([]), undefined);
  });
});
