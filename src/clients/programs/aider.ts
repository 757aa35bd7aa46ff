import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';

/** The model prefix selects the protocol; for messages, the address comes from variables only. */
export const aider: ClientProgram = {
  id: 'aider',
  name: 'aider',
  command: 'aider',
  endpoints: { 'chat-completions': chatEndpoint },
  keyPlaces: ['environment', 'terminal', 'file'],
  variable: 'AIDER_OPENAI_API_KEY',
  files: ({ home }) => [
    {
      path: join(home, '.aider.conf.yml'),
      format: 'yaml',
      edits: (_, target): Edit[] => [
        { path: ['model'], value: `openai/${target.models[0].id}` },
        { path: ['openai-api-base'], value: addressFor(aider, target) },
        { path: ['openai-api-key'], ...(target.keyInFile && { value: target.keyInFile }) },
      ],
    },
  ],
  check: { arguments: ['--no-git', '--yes-always', '--message', 'hi'], asksModel: true },
};
