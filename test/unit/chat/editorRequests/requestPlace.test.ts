import assert from 'node:assert/strict';
import type { AttachmentSource } from '../../../../src/chat/attachments/attachment.ts';
import { ChatController } from '../../../../src/chat/chatController.ts';
import { placeQuestion, placeWork } from '../../../../src/chat/editorRequests/requestPlace.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import { chatDependencies } from '../../../support/chatDependencies.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';

const hi: ModelEvent[] = [
  { type: 'textAdded', text: 'Hi' },
  { type: 'modelFinished', reason: 'stop' },
];
const file = (path: string): AttachmentSource => ({ type: 'path', path, isEditor: true });
const lines = (path: string): AttachmentSource => ({ type: 'range', path, startLine: 1, endLine: 2 });
const text: AttachmentSource = { type: 'text', name: 'Problems', text: '' };

function setUp(...scripts: Parameters<typeof scriptedModel>) {
  const { streamModel } = scriptedModel(...scripts);
  const chat = new ChatController(chatDependencies({ streamModel }));
  const said = (words: string, ...sources: AttachmentSource[]) => {
    const attachments = sources.map(() => ({ kind: 'file' as const, label: 'f', text: 'code' }));
    return chat.shown.submit(words, { attachments, sources });
  };
  return {
    chat,
    said,
    id: () => chat.shown.conversation.id,
    mode: () => chat.shown.choices.modeId,
    async explain(...sources: AttachmentSource[]) {
      await placeQuestion(chat, sources);
      return said('Explain it.', ...sources);
    },
  };
}

describe('a request of the editor', () => {
  it('that is a question takes an empty conversation, and each other file one of its own', async () => {
    const { chat, explain, id, mode, said } = setUp(hi, hi, hi, hi, hi);
    const empty = id();
    assert.equal(mode(), 'agent');
    await explain(lines('/work/a.ts'));
    assert.deepEqual([id(), mode()], [empty, 'ask']);
    await explain(file('/work/a.ts'), text);
    assert.deepEqual([id(), mode()], [empty, 'ask'], 'the same file');
    await said('And why?');
    await explain(lines('/work/a.ts'));
    assert.deepEqual([id(), mode()], [empty, 'ask'], 'the file that was asked about last');
    await explain(lines('/work/b.ts'));
    assert.notEqual(id(), empty);
    const other = id();
    await explain(text);
    assert.notEqual(id(), other, 'what is about no file is never the same');
    await chat.startNewChat();
    assert.equal(mode(), 'agent', 'other conversations keep the mode of the user');
  });

  it('that is a question about two files takes a conversation that has both', async () => {
    const { explain, id, said } = setUp(hi, hi, hi);
    const first = id();
    await said('Look', file('/work/a.ts'), file('/work/b.ts'), file('/work/c.ts'));
    await explain(lines('/work/a.ts'), lines('/work/b.ts'));
    assert.equal(id(), first);
    await explain(lines('/work/a.ts'), lines('/work/d.ts'));
    assert.notEqual(id(), first);
  });

  it('that is a question leaves a conversation in its mode once it is answered', async () => {
    const { chat, explain, id, mode, said } = setUp(hi, hi, [new Error('down')], hi);
    const first = id();
    await said('Change it', file('/work/a.ts'));
    const modes: string[] = [];
    chat.onDidChange((change) => change.type === 'modeSelected' && modes.push(change.modeId));
    await explain(lines('/work/a.ts'));
    assert.deepEqual([id(), mode(), modes], [first, 'agent', ['ask', 'agent']]);
    await explain(lines('/work/a.ts'));
    assert.equal(mode(), 'ask', 'a question that failed can be retried in its mode');
    const answer = chat.shown.conversation.all.at(-1)!;
    await chat.shown.retry(answer.id);
    assert.deepEqual([id(), mode()], [first, 'agent']);
  });

  it('that is a question disturbs nothing that runs or waits', async () => {
    const { chat, explain, id, mode, said } = setUp(['wait'], hi, hi);
    const first = id();
    const running = said('Change it', file('/work/a.ts'));
    chat.shown.queue.add({ text: 'And then' });
    await explain(lines('/work/a.ts'));
    assert.notEqual(id(), first);
    assert.equal(mode(), 'ask');
    const before = chat.find(first)!;
    assert.deepEqual([before.isRunning, before.choices.modeId], [true, 'agent']);
    await before.stop();
    await running;
    await chat.openChat(first);
    assert.equal(chat.shown.conversation.queue.length, 1);
    await explain(lines('/work/a.ts'));
    assert.notEqual(id(), first, 'a message waits there');
  });

  it('that is work goes on in the mode from before a question, and in any other as it is', async () => {
    const { chat, explain, id, mode, said } = setUp(hi, hi, ['wait']);
    await placeWork(chat);
    assert.equal(mode(), 'agent');
    const first = id();
    await explain(lines('/work/a.ts'));
    await placeWork(chat);
    assert.deepEqual([id(), mode()], [first, 'agent']);
    chat.shown.choices.selectMode('ask');
    await placeWork(chat);
    assert.deepEqual([id(), mode()], [first, 'ask'], 'the user chose it');
    await chat.startNewChat();
    await explain(lines('/work/a.ts'));
    chat.shown.choices.selectMode('plan');
    chat.shown.choices.selectMode('ask');
    await placeWork(chat);
    assert.equal(mode(), 'ask', 'chosen again after the question');
    await chat.startNewChat();
    await placeQuestion(chat, []);
    const asking = id();
    const running = said('Explain it.');
    await placeWork(chat);
    assert.notEqual(id(), asking, 'the question is still answered');
    assert.equal(mode(), 'agent');
    await chat.find(asking)!.stop();
    await running;
  });

  it('chooses no mode for an app', async () => {
    const chat = new ChatController(chatDependencies({ defaultModel: () => 'app:x' }));
    await placeQuestion(chat, []);
    assert.equal(chat.shown.choices.modeId, 'agent');
  });
});
