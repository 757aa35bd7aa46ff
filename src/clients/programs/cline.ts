import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';

/**
 * It has no place for the key but its file, and replaces a file that is not strict JSON by an empty one. It is not run as a
 * check: it leaves a process behind.
 */
export const cline: ClientProgram = {
  id: 'cline',
  name: 'Cline',
  command: 'cline',
  endpoints: { 'chat-completions': chatEndpoint },
  keyPlaces: ['file'],
  files: ({ home }) => [
    {
      path: join(home, '.cline', 'data', 'settings', 'providers.json'),
      format: 'json',
      edits: (_, target): Edit[] => [
        {
          path: ['providers', 'openai-compatible', 'settings'],
          value: {
            provider: 'openai-compatible',
            apiKey: target.keyInFile ?? '',
            model: target.models[0].id,
            baseUrl: addressFor(cline, target),
          },
        },
        { path: ['lastUsedProvider'], value: 'openai-compatible' },
      ],
    },
  ],
};
