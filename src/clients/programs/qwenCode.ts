import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';
import { itemEdits } from '../entries.ts';

/** The file names a variable for the key and cannot hold the key. */
export const qwenCode: ClientProgram = {
  id: 'qwen-code',
  name: 'Qwen Code',
  command: 'qwen',
  endpoints: { 'chat-completions': { ...chatEndpoint, limit: { field: 'max_tokens', unset: 32_000 } } },
  keyPlaces: ['environment', 'terminal'],
  hasManyModels: true,
  files: ({ home }) => [
    {
      path: join(home, '.qwen', 'settings.json'),
      format: 'jsonc',
      edits(current, target): Edit[] {
        const baseUrl = addressFor(qwenCode, target);
        const models = target.models.map(({ id, name, contextWindow }) => ({
          same: { id, baseUrl },
          value: (isNew: boolean) => ({
            ...{ id, ...(isNew && { name }), baseUrl, envKey: target.variable },
            ...(contextWindow !== undefined && { generationConfig: { contextWindowSize: contextWindow } }),
          }),
        }));
        return [
          ...itemEdits(current, ['modelProviders', 'openai'], models),
          { path: ['security', 'auth', 'selectedType'], value: 'openai' },
          { path: ['model', 'name'], value: target.models[0].id },
        ];
      },
    },
  ],
  check: { arguments: ['-p', 'hi'], asksModel: true },
};
