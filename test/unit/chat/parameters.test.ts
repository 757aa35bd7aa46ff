import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { ParameterController } from '../../../src/panel/parameterController.ts';
import type { ModelRequest } from '../../../src/relay/messages.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';

describe('the parameters of a conversation', () => {
  function open(refusing = false) {
    const requests: ModelRequest[] = [];
    const store = new MemoryChatStore();
    const chat = new ChatController(
      chatDependencies({
        store,
        options: { temperature: 0.5, maxTokens: 100 },
        async *streamModel(request) {
          requests.push(request);
          if (refusing) yield { type: 'parameterRefused', refused: 'reasoningEffort=max' } as const;
          yield { type: 'requestSent' } as const;
          yield { type: 'textAdded', text: 'Yes.' } as const;
          yield { type: 'modelFinished', reason: 'stop' } as const;
        },
      }),
    );
    const sent = () =>
      requests.map(({ temperature, maxTokens, reasoningEffort }) => [
        temperature,
        maxTokens,
        reasoningEffort,
      ]);
    return { chat, store, sent };
  }

  it('go with each of its requests, in place of the settings, until they are reset', async () => {
    const { chat, sent } = open();
    await chat.submit('One');
    chat.chooseParameters({ temperature: 0, reasoningEffort: 'high' });
    await chat.submit('Two');
    chat.chooseParameters({});
    await chat.submit('Three');
    assert.deepEqual(sent(), [
      [0.5, 100, undefined],
      [0, 100, 'high'],
      [0.5, 100, undefined],
    ]);
  });

  it('are in its file, also for whoever reads only its end, and in no other conversation', async () => {
    const { chat, store } = open();
    await chat.submit('One');
    chat.chooseParameters({ maxTokens: 7 });
    await chat.submit('Two');
    const { id } = chat.conversation;
    const events = (await store.load(id)) ?? [];
    assert.deepEqual(new Conversation(id, events).parameters, { maxTokens: 7 });
    const repeated = events.filter(({ type }) => type === 'settingsRepeated');
    assert.deepEqual(new Conversation(id, repeated).parameters, { maxTokens: 7 });
    await chat.startNewChat();
    assert.deepEqual(chat.conversation.parameters, {});
  });

  it('that a model refuses are said in the conversation', async () => {
    const { chat } = open(true);
    await chat.submit('One');
    const notices = chat.conversation.all.filter((item) => item.type === 'notice');
    assert.deepEqual(
      notices.map(({ kind, detail }) => [kind, detail]),
      [['parameter-refused', 'reasoningEffort=max']],
    );
  });

  it('are told to the page while it shows them, with what the settings have and the model refused', () => {
    const { chat } = open();
    const posted: ToPage[] = [];
    const host = {
      defaultParameters: () => ({ temperature: 0.5 }),
      refusedParameters: (model: string) => [`${model} refuses`],
      nameOf: (model: string) => model.toUpperCase(),
    };
    const controller = new ParameterController(chat, host, (message) => posted.push(message));
    chat.onDidChange((change) => controller.onChange(change));
    controller.onMessage({ type: 'chooseParameters', parameters: { maxTokens: 1 } });
    assert.equal(posted.length, 0, 'nobody looks');
    controller.onMessage({ type: 'loadParameters' });
    controller.onMessage({ type: 'chooseParameters', parameters: { maxTokens: 2 } });
    assert.deepEqual(
      posted.map(
        (message) =>
          'chosen' in message && [message.chosen, message.defaults, message.refused, message.model],
      ),
      [1, 2].map((maxTokens) => [
        { maxTokens },
        { temperature: 0.5, maxTokens: undefined, reasoningEffort: undefined },
        ['m refuses'],
        'M',
      ]),
    );
    controller.begin();
    chat.selectModel('app:1');
    controller.onMessage({ type: 'loadParameters' });
    assert.equal(posted.length, 2, 'apps have none');
  });
});
