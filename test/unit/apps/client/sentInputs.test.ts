import assert from 'node:assert/strict';
import type { FormField } from '../../../../src/apps/app.ts';
import { firstMissing, toSentInputs } from '../../../../src/apps/client/sentInputs.ts';
import { type JsonObject, asObject, parseJson } from '../../../../src/base/json.ts';
import dify from '../../../fixtures/recorded/dify-1.14.2.txt';
import { readRecorded } from '../../../support/recorded.ts';

const field = (variable: string, more: Partial<FormField> = {}): FormField => ({
  variable,
  label: `The ${variable}`,
  isRequired: true,
  type: 'text',
  ...more,
});

function recordedRun(): { told: JsonObject; sent: JsonObject } {
  const reply = readRecorded(dify).find(({ sent }) => sent.includes('"docs":[{'));
  const line = reply?.body.split('\n').find((each) => each.includes('workflow_started')) ?? '';
  const event = asObject(parseJson(line.replace('data: ', '')));
  const told = asObject(asObject(event?.['data'])?.['inputs']);
  const sent = asObject(asObject(parseJson(reply?.sent ?? ''))?.['inputs']);
  assert.ok(told && sent);
  return { told, sent };
}

describe('toSentInputs', () => {
  it('gives back what was sent, files too, from what the platform tells of it', () => {
    const { told, sent } = recordedRun();
    const own = Object.fromEntries(Object.entries(told).filter(([name]) => !name.startsWith('sys.')));
    assert.deepEqual(toSentInputs(own), sent);
  });

  it('leaves out what was left empty, and sends what is its own as it is', () => {
    const recorded = readRecorded(dify).find(({ body }) => body.includes('"name": "Cy"'));
    const messages = asObject(parseJson(recorded?.body ?? ''))?.['data'] as JsonObject[];
    assert.deepEqual(toSentInputs(asObject(messages[0]?.['inputs']) ?? {}), {
      name: 'Cy',
      count: 1,
      tone: 'formal',
    });
    const own = { a: '', b: 0, c: false, d: [], e: { x: 1 }, f: { type: 'image', url: 'https://x' } };
    assert.deepEqual(toSentInputs(own), own);
  });

  it('sends an address as an address, and leaves out a file that cannot be named', () => {
    const file = { dify_model_identity: '__dify__file__', type: 'image', transfer_method: 'remote_url' };
    assert.deepEqual(
      toSentInputs({
        a: { ...file, remote_url: 'https://x/a.png' },
        b: file,
        c: [file, { ...file, url: 'u' }],
      }),
      {
        a: { type: 'image', transfer_method: 'remote_url', url: 'https://x/a.png' },
        c: [{ type: 'image', transfer_method: 'remote_url', url: 'u' }],
      },
    );
  });
});

describe('firstMissing', () => {
  it('is the first field that the server would refuse the inputs for', () => {
    const form = [
      field('a'),
      field('b', { isRequired: false }),
      field('c'),
      field('d', { type: 'checkbox' }),
    ];
    assert.equal(firstMissing(form, { a: 'x', c: 0 }), undefined);
    assert.equal(firstMissing(form, { a: 'x', c: '' })?.variable, 'c');
    assert.equal(firstMissing(form, { a: null, c: [] })?.variable, 'a');
    assert.equal(firstMissing([], {}), undefined);
  });
});
