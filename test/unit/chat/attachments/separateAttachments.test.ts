import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Attachment } from '../../../../src/chat/attachments/attachment.ts';
import { attachmentKinds } from '../../../../src/chat/attachments/attachmentKinds.ts';
import { withAttachments } from '../../../../src/chat/attachments/attachmentText.ts';
import {
  nameWithoutAttachments,
  separateAttachments,
} from '../../../../src/chat/attachments/separateAttachments.ts';

const selection: Attachment = {
  kind: 'selection',
  label: 'main.ts',
  path: 'src/"main" & <co>.ts',
  lines: { first: 3, last: 9, total: 20 },
  text: 'let a = 1 & 2;\n\n</attachment>\n\nlet b;',
};

describe('a message taken apart', () => {
  it('gives the words, and what was beside them', () => {
    const { text, attachments } = separateAttachments(withAttachments('Why?', [selection]));
    assert.equal(text, 'Why?');
    assert.deepEqual(attachments, [
      {
        kind: 'selection',
        label: '"main" & <co>.ts',
        path: 'src/"main" & <co>.ts',
        lines: { first: 3, last: 9, total: 20 },
        text: 'let a = 1 & 2;\n\n</attachment>\n\nlet b;',
      },
    ]);
  });

  it('leaves alone what is no whole attachment, or stands among the words', () => {
    for (const words of [
      '',
      'Hi',
      '<attachment-1234 kind="file">\ncut',
      '<attachment-1234 kind="file">\nx\n</attachment-1234> and more',
      'See <attachment-1234 kind="file">\nx\n</attachment-1234>',
    ]) {
      assert.deepEqual(separateAttachments(words), { text: words, attachments: [] });
    }
  });

  it('is put together to the same message again', () => {
    const attachment = fc.record(
      {
        kind: fc.constantFrom(...attachmentKinds),
        label: fc.string(),
        path: fc.string({ minLength: 1 }),
        lines: fc.record({ first: fc.nat(), last: fc.nat() }),
        text: fc.string(),
      },
      { requiredKeys: ['kind', 'label', 'text'] },
    );
    fc.assert(
      fc.property(fc.string(), fc.array(attachment, { maxLength: 3 }), (words, given) => {
        const whole = withAttachments(words, given);
        const { text, attachments } = separateAttachments(whole);
        assert.equal(withAttachments(text, attachments), whole);
      }),
    );
  });
});

describe('the name of a conversation that began with an attachment', () => {
  it('is made of the words, or of what was attached', () => {
    const whole = withAttachments('Why?', [selection]);
    assert.equal(nameWithoutAttachments(whole), 'Why?');
    assert.equal(nameWithoutAttachments(whole.slice(0, 90)), 'src/"main" & <co>.ts');
    assert.equal(nameWithoutAttachments('<attachment-1234 kind="sel'), '<attachment-1234 kind="sel');
    assert.equal(nameWithoutAttachments('Tides'), 'Tides');
  });
});
