import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram, messagesBelowVersion } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';
import { itemEdits, known, unlessThere } from '../programEntries.ts';

const limit = { field: 'max_tokens' } as const;

export const continueClient: ClientProgram = {
  id: 'continue',
  name: 'Continue',
  command: 'cn',
  endpoints: {
    'chat-completions': { ...chatEndpoint, limit },
    messages: { ...messagesBelowVersion, limit },
  },
  keyPlaces: ['environment', 'terminal', 'file'],
  hasManyModels: true,
  writesLimits: true,
  files: ({ home }) => [
    {
      path: join(home, '.continue', 'config.yaml'),
      format: 'yaml',
      edits(current, target): Edit[] {
        const apiBase = addressFor(continueClient, target);
        const head = Object.entries({ name: 'Local', version: '1.0.0', schema: 'v1' });
        return [
          ...unlessThere(
            current,
            head.map(([key, value]) => ({ path: [key], value })),
          ),
          ...itemEdits(
            current,
            ['models'],
            target.models.map(({ id: model, name, contextWindow, maxTokens }) => ({
              same: { model, apiBase },
              // The user's name and roles stay.
              value: (isNew) => ({
                ...(isNew && { name }),
                ...{ provider: target.protocol === 'messages' ? 'anthropic' : 'openai', model, apiBase },
                apiKey: target.keyInFile ?? `\${{ secrets.${target.variable} }}`,
                ...(isNew && { roles: ['chat'] }),
                defaultCompletionOptions: known({ contextLength: contextWindow, maxTokens }),
              }),
            })),
          ),
        ];
      },
    },
    // Without it the command line asks for a vendor's key at its first start.
    { path: join(home, '.continue', '.onboarding_complete'), edits: () => [] },
  ],
  check: { arguments: ['-p', 'hi'], asksModel: true },
};
