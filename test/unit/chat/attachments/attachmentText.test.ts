import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Attachment } from '../../../../src/chat/attachments/attachment.ts';
import {
  imagesOnlyFor,
  renderAttachment,
  withAttachments,
} from '../../../../src/chat/attachments/attachmentText.ts';
import { Conversation } from '../../../../src/chat/conversation.ts';
import { toMessages } from '../../../../src/chat/context/toMessages.ts';
import type { Message } from '../../../../src/relay/messages.ts';

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
      '<attachment kind="file" path="src/a.ts">\nlet a = 1;\n</attachment>\n\n' +
        '<attachment kind="selection" path="src/a.ts" lines="1-800 of 5000">\nlet a = 1;\n</attachment>\n\nWhy?',
    );
  });

  it('says what was withheld instead of leaving it out', () => {
    const refusal = { forModel: 'Refused: ".env" is an environment file.', forUser: '' };
    assert.equal(
      renderAttachment({ kind: 'file', label: '.env', path: '.env', refusal }),
      '<attachment kind="file" path=".env">\n[Nothing of it was sent. Refused: ".env" is an environment file.]\n</attachment>',
    );
  });

  it('cannot be closed by what it holds', () => {
    const invisible = ['', ' ', '\n', '\u200b', '\u2060', '\u00ad', '\ufeff'];
    const tag = fc
      .tuple(
        ...[0, 1, 2].map(() => fc.constantFrom(...invisible)),
        fc.constantFrom('/', ''),
        fc.constantFrom('attachment', 'ATTACHMENT'),
      )
      .map(([a, b, c, slash, name]) => `<${a}${slash}${b}${name}${c}>`);
    const text = fc.array(
      fc.oneof(tag, fc.string({ unit: 'grapheme' }), fc.constantFrom('<', '</', '>', '"')),
    );
    fc.assert(
      fc.property(text, text, (pieces, names) => {
        const rendered = renderAttachment({
          kind: 'text',
          label: names.join(''),
          path: names.join('/'),
          text: pieces.join(''),
        });
        // As a reader would see it who skips what is not seen.
        const seen = rendered.replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
        assert.equal(seen.match(/<\/attachment/gi)?.length, 1);
        assert.equal(seen.match(/<attachment/gi)?.length, 1);
        assert.ok(rendered.endsWith('\n</attachment>'));
        const head = rendered.slice(0, rendered.indexOf('\n'));
        assert.match(head, /^<attachment( [a-z]+="[^"<>]*")+>$/u);
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
    assert.match(first.content, /^<attachment kind="image" name="shot.png">[\s\S]*\n\nLook$/);
    assert.deepEqual(second, { role: 'user', content: 'Plain' });
  });

  it('goes without images to a model that does not take them, which is told', async () => {
    const asked: Message[][] = [];
    const streamModel = imagesOnlyFor(
      (model) => model === 'sees',
      async function* (request) {
        asked.push([...request.messages]);
        yield { type: 'requestSent' };
      },
    );
    const message: Message = {
      role: 'user',
      content: 'Look',
      images: [{ mimeType: 'image/png', data: 'AAAA' }],
    };
    for (const model of ['sees', 'blind']) {
      const request = { model, messages: [message], stream: true };
      for await (const _ of streamModel(request, new AbortController().signal));
    }
    assert.deepEqual(asked[0], [message]);
    assert.deepEqual(asked[1], [
      { role: 'user', content: 'Look\n\n[1 images are left out: you do not take images.]' },
    ]);
  });
});

/** Without the items they were made of. */
function messagesOf(chat: Conversation): Message[] {
  return toMessages(chat.all, '').map(({ message }) => message);
}
