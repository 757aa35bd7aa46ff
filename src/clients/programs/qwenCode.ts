import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';
import { itemEdits } from '../programEntries.ts';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

/** The file names a variable for the key and cannot hold the key. */
export const qwenCode: ClientProgram & KnowledgeProgram = {
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
  /** Asks before each call of a tool, and before it starts a server of a project. Rewrites the file at start. */
  serverFile: (machine) => ({
    path: qwenCode.files(machine)[0]?.path ?? '',
    format: 'jsonc',
    list: ['mcpServers'],
    entry: commandEntry,
  }),
  check: { arguments: ['-p', 'hi'], asksModel: true },
};
