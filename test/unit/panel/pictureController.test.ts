import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { PictureController, type PictureHost } from '../../../src/panel/pictureController.ts';
import type { PictureCommand } from '../../../src/shared/pictures.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { createState } from '../../../src/webview/state/pageState.ts';
import { receive } from '../../../src/webview/state/receive.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { panelParts } from '../../support/panelParts.ts';
import { base64Of, pixel } from '../../support/pictureSamples.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

const file = `${'a'.repeat(32)}.png`;

async function painted() {
  const { streamModel } = scriptedModel([
    { type: 'textAdded', text: 'Here.' },
    { type: 'pictureAdded', picture: { type: 'image/png', bytes: pixel } },
    { type: 'modelFinished', reason: 'stop' },
  ]);
  const chat = new ChatController(chatDependencies({ streamModel, keepPicture: async () => file }));
  return chat;
}

describe('pictures of answers in the panel', () => {
  async function open(stored: Uint8Array | undefined = pixel) {
    const chat = await painted();
    await chat.shown.submit('Paint');
    const posted: ToPage[] = [];
    const done: string[] = [];
    const host: PictureHost = {
      readPicture: async (chatId, name) => {
        done.push(`read ${chatId} ${name}`);
        return stored;
      },
      openPicture: async (chatId, name) => void done.push(`open ${chatId} ${name}`),
      savePicture: async (chatId, name) => void done.push(`save ${chatId} ${name}`),
    };
    const controller = new PictureController(chat, host, (message) => posted.push(message));
    const answer = chat.shown.conversation.all.find(({ type }) => type === 'answer');
    const say = (type: PictureCommand['type'], parts: Partial<PictureCommand> = {}) =>
      handleCommand(controller.commands, { type, id: answer?.id ?? '', file, ...parts });
    return { chat, done, host, posted, say };
  }

  it('are read, opened and saved by the conversation that they are of', async () => {
    const { chat, done, posted, say } = await open();
    await say('loadAnswerPicture');
    await say('openAnswerPicture');
    await say('saveAnswerPicture');
    const { id } = chat.shown.conversation;
    assert.deepEqual(done, [`read ${id} ${file}`, `open ${id} ${file}`, `save ${id} ${file}`]);
    assert.deepEqual(posted, [{ type: 'answerPictureLoaded', file, base64: base64Of(pixel) }]);
  });

  it('tell why they cannot be opened or saved', async () => {
    const { host, say } = await open();
    host.openPicture = host.savePicture = () => Promise.reject(new Error('The disk is full.'));
    for (const type of ['openAnswerPicture', 'saveAnswerPicture'] as const)
      await assert.rejects(async () => say(type), /full/);
  });

  it('are no other files, and none of other answers', async () => {
    const { chat, done, posted, say } = await open();
    const question = chat.shown.conversation.all[0]!.id;
    for (const type of ['loadAnswerPicture', 'openAnswerPicture', 'saveAnswerPicture'] as const) {
      await say(type, { file: '../../secret.png' });
      await say(type, { file: `${'b'.repeat(32)}.png` });
      await say(type, { id: question });
      await say(type, { id: 'nobody' });
    }
    assert.deepEqual([done, posted], [[], []]);
  });

  it('are not drawn where they are gone, damaged or take gigabytes to draw', async () => {
    const huge = Buffer.from(pixel);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    for (const stored of [huge, pixel.subarray(0, 12), Buffer.from('<svg/>')]) {
      const { posted, say } = await open(stored);
      await say('loadAnswerPicture');
      assert.deepEqual(posted, [{ type: 'answerPictureLoaded', file }]);
    }
  });

  it('come to the page while the answer does, and with a page that comes later', async () => {
    const chat = await painted();
    const { attach, page, refused } = panelParts(chat);
    const state = createState();
    const seen: string[] = [];
    page.listen((message) => {
      receive(state, message);
      seen.push(message.type);
    });
    attach();
    const shown = () =>
      state.items.peek().flatMap((item) => (item.type === 'assistant' ? item.pictures.peek() : []));
    page.post({ type: 'ready' });
    await chat.shown.submit('Paint');
    const expected = [{ file, detail: `PNG, ${pixel.length} B`, width: 1, height: 1 }];
    assert.deepEqual(shown(), expected);
    assert.ok(seen.indexOf('answerPicturesChanged') < seen.indexOf('entryEnded'));
    page.post({ type: 'ready' });
    assert.deepEqual(shown(), expected);
    assert.deepEqual(refused, []);
  });
});
