import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { Conversation } from '../../../src/chat/conversation/conversation.ts';
import { ParameterController } from '../../../src/panel/parameterController.ts';
import type { ModelRequest } from '../../../src/relay/messages.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { handleCommand } from '../../../src/panel/commandHandlers.ts';

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
    await chat.shown.submit('One');
    chat.shown.choices.chooseParameters({ temperature: 0, reasoningEffort: 'high' });
    await chat.shown.submit('Two');
    chat.shown.choices.chooseParameters({});
    await chat.shown.submit('Three');
    assert.deepEqual(sent(), [
      [0.5, 100, undefined],
      [0, 100, 'high'],
      [0.5, 100, undefined],
    ]);
  });

  it('are in its file, also for whoever reads only its end, and in no other conversation', async () => {
    const { chat, store } = open();
    await chat.shown.submit('One');
    chat.shown.choices.chooseParameters({ maxTokens: 7 });
    await chat.shown.submit('Two');
    const { id } = chat.shown.conversation;
    const events = (await store.load(id)) ?? [];
    assert.deepEqual(new Conversation(id, events).parameters, { maxTokens: 7 });
    const repeated = events.filter(({ type }) => type === 'settingsRepeated');
    assert.deepEqual(new Conversation(id, repeated).parameters, { maxTokens: 7 });
    await chat.startNewChat();
    assert.deepEqual(chat.shown.conversation.parameters, {});
  });

  it('that a model refuses are said in the conversation', async () => {
    const { chat } = open(true);
    await chat.shown.submit('One');
    const notices = chat.shown.conversation.all.filter((item) => item.type === 'notice');
    assert.deepEqual(
      notices.map(({ kind, detail }) => [kind, detail]),
      [['parameter-refused', 'reasoningEffort=max']],
    );
  });

  it('are told to the page while it shows them, with what the settings have and the model refused', async () => {
    const { chat } = open();
    const posted: ToPage[] = [];
    const host = {
      defaultParameters: () => ({ temperature: 0.5 }),
      refusedParameters: (model: string) => [`${model} refuses`],
      nameOf: (model: string) => model.toUpperCase(),
    };
    const controller = new ParameterController(chat, host, (message) => posted.push(message));
    chat.onDidChange((change) => controller.onChange(change));
    await handleCommand(controller.commands, { type: 'chooseParameters', parameters: { maxTokens: 1 } });
    assert.equal(posted.length, 0, 'nobody looks');
    await handleCommand(controller.commands, { type: 'loadParameters' });
    await handleCommand(controller.commands, { type: 'chooseParameters', parameters: { maxTokens: 2 } });
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
    chat.shown.choices.selectModel('app:1');
    await handleCommand(controller.commands, { type: 'loadParameters' });
    assert.equal(posted.length, 2, 'apps have none');
  });
});
