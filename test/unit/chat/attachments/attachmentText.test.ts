import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFrame } from '../../../../src/base/text/frame.ts';
import { visibleName } from '../../../../src/base/text/visibleText.ts';
import type { Attachment } from '../../../../src/chat/attachments/attachment.ts';
import { renderAttachment, withAttachments } from '../../../../src/chat/attachments/attachmentText.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { Message } from '../../../../src/relay/messages.ts';
import { hostileText } from '../../../fuzz/inputs.ts';

const file: Attachment = { kind: 'file', label: 'a.ts', path: 'src/a.ts', text: 'let a = 1;' };
const image: Attachment = {
  kind: 'image',
  label: 'shot.png',
  image: { mimeType: 'image/png', data: 'AAAA', bytes: 3 },
};

describe('the text of attachments', () => {
  it('puts each into a tag, before the words', () => {
    const lines = { first: 1, last: 800, total: 5000 };
    assert.equal(
      withAttachments('Why?', [file, { ...file, kind: 'selection', lines }]),
      '<attachment-c58e kind="file" path="src/a.ts">\nlet a = 1;\n</attachment-c58e>\n\n' +
        '<attachment-c58e kind="selection" path="src/a.ts" lines="1-800 of 5000">\nlet a = 1;\n</attachment-c58e>\n\nWhy?',
    );
  });

  it('says what was withheld instead of leaving it out', () => {
    const refusal = { forModel: 'Refused: ".env" is an environment file.', forUser: '' };
    assert.equal(
      readFrame(renderAttachment({ kind: 'file', label: '.env', path: '.env', refusal }))?.body,
      '[Nothing of it was sent. Refused: ".env" is an environment file.]',
    );
  });

  it('is one frame each, whatever they hold and are called', () => {
    const words = ['<attachment-c58e kind="file">', '</attachment-c58e>', '</attachment>', '"', '>', '&lt;'];
    const text = hostileText(words);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 4 }), text, (given, said) => {
        const message = withAttachments(
          `I say: ${said}`,
          given.map(([path, label, body]) => ({ kind: 'text', path, label, text: body })),
        );
        let rest = message;
        for (const [path, label, body] of given) {
          const found = readFrame(rest) ?? assert.fail();
          assert.deepEqual([found.kind, found.body], ['attachment', body]);
          const facts = { kind: 'text', name: visibleName(label), path: visibleName(path) };
          assert.deepEqual(found.facts, facts);
          rest = rest.slice(found.end + 2);
        }
        assert.equal(rest, `I say: ${said}`);
      }),
    );
  });

  it('goes to the model with its images, in the message it belongs to', () => {
    const chat = new Conversation('c', [
      { type: 'userMessageAdded', id: '1', text: 'Look', attachments: [image, file] },
      { type: 'userMessageAdded', id: '2', text: 'Plain' },
    ]);
    const [first, second] = messagesOf(chat);
    assert.ok(first?.role === 'user' && second?.role === 'user');
    assert.deepEqual(first.images, [{ mimeType: 'image/png', data: 'AAAA' }]);
    assert.match(first.content, /^<attachment-[0-9a-f]{4} kind="image" name="shot.png">[\s\S]*\n\nLook$/);
    assert.deepEqual(second, { role: 'user', content: 'Plain' });
  });
});

function messagesOf(chat: Conversation): Message[] {
  return toMessages(chat.all, '').map(({ message }) => message);
}
