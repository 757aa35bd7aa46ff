import assert from 'node:assert/strict';
import type { FormField } from '../../../src/apps/app.ts';
import { fillFormContent, fillOpening } from '../../../src/apps/appForm.ts';

const base = { isRequired: false, label: 'L' };
const form: FormField[] = [
  { ...base, variable: 'who', type: 'text' },
  { ...base, variable: 'tone', type: 'select', options: ['friendly', 'strict'], default: 'friendly' },
  { ...base, variable: 'strict', type: 'checkbox' },
  { ...base, variable: 'proof', type: 'file' },
];

describe('variables in a text of an app', () => {
  it('are the answers in an opening statement, else the defaults, else an ellipsis', () => {
    // Recorded on 1.16.1.
    const opening = 'Hello {{who}}! I am **basic** and {{ tone }}.';
    assert.equal(fillOpening(opening, form, {}), 'Hello …! I am **basic** and friendly.');
    assert.equal(
      fillOpening(opening, form, { who: ' Ada ', tone: 'strict' }),
      'Hello Ada! I am **basic** and strict.',
    );
    assert.equal(fillOpening('{{strict}}{{who}}', form, { strict: true, who: '$&' }), '✓$&');
  });

  it('stay as they are where no field has their name', () => {
    const opening = '{{other}} {{__proto__}} {{#$output.who#}} {{}} {who}';
    assert.equal(fillOpening(opening, form, { who: 'Ada' }), opening);
  });

  it('are the answers in the text of a form that a run waits for', () => {
    const content = 'Sign off **T**?\n\nReason: {{#$output.who#}}\n\nProof: {{#$output.proof#}} {{who}}';
    const proof = [{ method: 'local_file' as const, name: 'a.pdf', size: 1 }];
    assert.equal(
      fillFormContent(content, form, { who: 'because', proof }),
      'Sign off **T**?\n\nReason: because\n\nProof: a.pdf {{who}}',
    );
    assert.match(fillFormContent(content, form, {}), /Reason: …\n\nProof: …/);
  });

  it('are searched in time where braces never end', () => {
    const text = '{{'.repeat(200_000);
    assert.equal(fillOpening(text, form, {}), text);
    assert.equal(fillFormContent('{{#$output.'.repeat(50_000), form, {}).length, 550_000);
  });
});
