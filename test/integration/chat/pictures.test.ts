import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PictureFiles } from '../../../src/base/files/pictureFiles.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { ChatDependencies } from '../../../src/chat/chatDependencies.ts';
import { discardChat, purgeChats, restoreChat } from '../../../src/chat/store/discardedChats.ts';
import { FileChatStore, pictureFolder } from '../../../src/chat/store/fileChatStore.ts';
import { paintPicture } from '../../servers/models/paintPicture.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { relayOfSuite } from '../../support/relayOfSuite.ts';
import { silentLog } from '../../support/silentLog.ts';

describe('chat: pictures in answers, against the sandbox', () => {
  const relay = relayOfSuite();
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-pictures-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  function open(
    options: { stream?: boolean } = {},
    keepPicture: ChatDependencies['keepPicture'] = (chatId, picture) =>
      new PictureFiles(pictureFolder(folder, chatId)).keep(picture),
  ) {
    const store = new FileChatStore(folder, (error) => assert.fail(String(error)), silentLog);
    const chat = new ChatController(
      chatDependencies({
        ...{ store, options, keepPicture, newId: randomUUID },
        streamModel: relay.streamModel(),
        defaultModel: () => 'scripted-painter',
      }),
    );
    return { chat, store };
  }
  const answerOf = (chat: ChatController) => {
    const item = chat.shown.conversation.all.findLast(({ type }) => type === 'answer');
    return item?.type === 'answer' ? item : assert.fail();
  };
  const noticesOf = (chat: ChatController) =>
    chat.shown.conversation.all.flatMap((item) => (item.type === 'notice' ? [[item.kind, item.detail]] : []));

  for (const form of ['images', 'parts', 'markdown']) {
    for (const stream of [true, false]) {
      it(`keeps what is painted by ${form} ${stream ? 'streamed' : 'in one piece'}, and says it in words`, async () => {
        const { chat, store } = open({ stream });
        const end = await chat.shown.submit(`Please paint 2 by ${form}`);
        assert.equal(end?.reason, 'answered');
        const { text, pictures = [] } = answerOf(chat);
        assert.equal(text.trim(), `A scripted picture, by ${form}:`);
        assert.deepEqual(
          pictures.map(({ type, bytes, width, height }) => [type, bytes, width, height]),
          [0, 1].map((number) => ['image/png', paintPicture(number).length, 160, 96]),
        );
        const { id } = chat.shown.conversation;
        const files = new PictureFiles(pictureFolder(folder, id));
        for (const [number, { file }] of pictures.entries()) {
          assert.deepEqual(Buffer.from((await files.read(file))!), paintPicture(number));
        }
        await chat.shown.submit('Paint it without a word');
        const { json } = relay.server().requests.at(-1)! as { json: { messages: { content: string }[] } };
        assert.match(
          json.messages.at(-2)!.content,
          /:\s+\[Picture 1, image\/png\]\n\n\[Picture 2, image\/png\]$/,
        );
        assert.doesNotMatch(JSON.stringify(json), /base64|iVBOR/);
        await store.flush();
        assert.doesNotMatch(await readFile(join(folder, `${id}.jsonl`), 'utf8'), /base64|iVBOR/);
      });
    }
  }

  it('takes a picture without a word for an answer, and goes on after it', async () => {
    const { chat } = open();
    assert.equal((await chat.shown.submit('Paint by markdown without a word'))?.reason, 'answered');
    assert.equal(answerOf(chat).text.trim(), '');
    assert.equal(answerOf(chat).pictures?.length, 1);
    assert.equal((await chat.shown.submit('Paint by images'))?.reason, 'answered');
  });

  it('says that there were more than sixteen', async () => {
    const { chat } = open();
    await chat.shown.submit('paint 20 by images');
    assert.equal(answerOf(chat).pictures?.length, 16);
    assert.deepEqual(noticesOf(chat), [['pictures-omitted', 'count']]);
  });

  it('goes on where a picture cannot be written, and says so', async () => {
    const { chat } = open({}, () => Promise.reject(new Error('The disk is full.')));
    assert.equal((await chat.shown.submit('paint by images'))?.reason, 'answered');
    assert.equal(answerOf(chat).pictures, undefined);
    assert.deepEqual(noticesOf(chat), [['pictures-omitted', 'storage']]);
  });

  it('never asks for a remote picture: its address stays a link', async () => {
    const { chat } = open();
    await chat.shown.submit('paint by address');
    assert.match(answerOf(chat).text, /!\[\]\(https:\/\/127\.0\.0\.1:1\/0\.png\)$/);
    assert.equal(answerOf(chat).pictures, undefined);
  });

  it('deletes the pictures with their conversation, and not before', async () => {
    const { chat, store } = open();
    await chat.shown.submit('paint by images');
    const { id } = chat.shown.conversation;
    await discardChat(store, folder, id);
    await restoreChat(folder, id);
    assert.equal((await readdir(pictureFolder(folder, id))).length, 1);
    await discardChat(store, folder, id);
    await purgeChats(folder, { chatId: id });
    assert.deepEqual(await readdir(folder), []);
  });

  it('shows the same answer when it is read again, and follows no path that a damaged file names', async () => {
    const { chat, store } = open();
    await chat.shown.submit('paint by parts');
    const { id } = chat.shown.conversation;
    await store.flush();
    const log = join(folder, `${id}.jsonl`);
    const reread = async () => {
      const { Conversation } = await import('../../../src/chat/conversation/conversation.ts');
      return new Conversation(id, (await open().store.load(id)) ?? []).answerOf(answerOf(chat).id);
    };
    assert.deepEqual((await reread())?.pictures, answerOf(chat).pictures);
    const { file } = answerOf(chat).pictures![0]!;
    await writeFile(log, (await readFile(log, 'utf8')).replace(file, '../../secret.png'));
    assert.equal((await reread())?.pictures, undefined);
  });
});
