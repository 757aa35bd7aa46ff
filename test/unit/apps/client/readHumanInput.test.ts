import assert from 'node:assert/strict';
import { readHumanInputForm } from '../../../../src/apps/client/readHumanInput.ts';

describe('readHumanInputForm', () => {
  it('asks an input of an unknown kind as text, and leaves out what has no name', () => {
    const form = readHumanInputForm({
      form_content: 7,
      inputs: [
        { type: 'hologram', output_variable_name: 'shape' },
        { type: 'paragraph' },
        'x',
        {
          type: 'file-list',
          output_variable_name: 'files',
          allowed_file_extensions: ['PDF'],
          number_limits: 0,
        },
      ],
      resolved_default_values: { shape: 'round' },
      user_actions: [{ id: 'go', title: '' }, { title: 'No id' }, null],
      expiration_time: 'soon',
    });
    assert.deepEqual(form, {
      content: '',
      fields: [
        { variable: 'shape', label: 'shape', type: 'paragraph', isRequired: false, default: 'round' },
        {
          ...{ variable: 'files', label: 'files', type: 'file-list', isRequired: false },
          files: {
            types: [],
            extensions: ['.pdf'],
            methods: ['local_file', 'remote_url'],
            maxFiles: undefined,
          },
        },
      ],
      actions: [{ id: 'go', title: 'go' }],
    });
  });

  it('bounds what a hostile platform asks, and takes nothing else for a form', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ output_variable_name: `v${at}`, id: `a${at}` }));
    const form = readHumanInputForm({ inputs: many, user_actions: many });
    assert.deepEqual([form?.fields.length, form?.actions.length], [100, 100]);
    for (const other of [undefined, [], 'x', {}, { user_actions: {} }, { welcome: 'x' }])
      assert.equal(readHumanInputForm(other), undefined);
  });
});
