import * as l10n from '@vscode/l10n';
import {
  addressFor,
  chatEndpoint,
  type ClientProgram,
  messagesEndpoint,
  type Target,
} from '../clientProgram.ts';

/** Programs known only by their protocol: the user enters address, key and model there. */
export function otherPrograms(): readonly ClientProgram[] {
  const base = { keyPlaces: ['environment', 'terminal'], files: () => [] } as const;
  const chat: ClientProgram = {
    ...base,
    id: 'other-chat-completions',
    name: l10n.t('Another Program (Chat Completions)'),
    endpoints: { 'chat-completions': chatEndpoint },
    variable: 'OPENAI_API_KEY',
    variables: (target: Target) => ({
      OPENAI_BASE_URL: addressFor(chat, target),
      OPENAI_MODEL: target.models[0].id,
    }),
  };
  const messages: ClientProgram = {
    ...base,
    id: 'other-messages',
    name: l10n.t('Another Program (Messages)'),
    endpoints: { messages: { ...messagesEndpoint, limit: { field: 'max_tokens', unset: 1024 } } },
    variable: 'ANTHROPIC_API_KEY',
    variables: (target: Target) => ({
      ANTHROPIC_BASE_URL: addressFor(messages, target),
      ANTHROPIC_MODEL: target.models[0].id,
    }),
  };
  return [chat, messages];
}
