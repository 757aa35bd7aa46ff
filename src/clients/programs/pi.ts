import { join } from 'node:path';
import {
  addressFor,
  chatEndpoint,
  type ClientProgram,
  messagesEndpoint,
  type Target,
} from '../clientProgram.ts';
import { type Edit, valueAt } from '../edit.ts';
import { itemEdits, known, providerId } from '../programEntries.ts';

/** The key field holds a variable's bare name; a second file defines it. */
export const pi: ClientProgram = {
  id: 'pi',
  name: 'pi',
  command: 'pi',
  endpoints: {
    'chat-completions': { ...chatEndpoint, limit: { field: 'max_completion_tokens', unset: 16_384 } },
    messages: { ...messagesEndpoint, limit: { field: 'max_tokens', unset: 16_384 } },
  },
  keyPlaces: ['environment', 'terminal', 'file'],
  hasManyModels: true,
  writesLimits: true,
  files({ home }) {
    const folder = join(home, '.pi', 'agent');
    return [
      {
        path: join(folder, 'models.json'),
        format: 'jsonWithLineComments',
        edits(current, target): Edit[] {
          const path = ['providers', relayIn(current, target)];
          return [
            {
              path,
              value: {
                baseUrl: addressFor(pi, target),
                api: target.protocol === 'messages' ? 'anthropic-messages' : 'openai-completions',
                apiKey: target.keyInFile ?? target.variable,
              },
            },
            ...itemEdits(
              current,
              [...path, 'models'],
              target.models.map(({ id: model, contextWindow, maxTokens }) => ({
                same: { id: model },
                value: () => ({ id: model, ...known({ contextWindow, maxTokens }) }),
              })),
            ),
          ];
        },
      },
      {
        path: join(folder, 'settings.json'),
        format: 'json',
        edits: (_, target, [models]): Edit[] => [
          { path: ['defaultProvider'], value: relayIn(models, target) },
          { path: ['defaultModel'], value: target.models[0].id },
        ],
      },
    ];
  },
  check: { arguments: ['-p', 'hi'], asksModel: true },
};

function relayIn(models: object | undefined, target: Target): string {
  return providerId(valueAt(models, ['providers']), addressFor(pi, target), ['baseUrl']);
}
