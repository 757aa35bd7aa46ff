import { join } from 'node:path';
import { addressFor, chatEndpoint, type ClientProgram } from '../clientProgram.ts';
import { type Edit, valueAt } from '../edit.ts';
import { unlessThere } from '../programEntries.ts';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

/** Without these fields Cline treats the file as broken. It sets the time itself at start. */
const stamps = { updatedAt: '1970-01-01T00:00:00.000Z', tokenSource: 'manual' };

/** Reads the key from its file only and empties one that isn't strict JSON. No check: it leaves a process behind. */
export const cline: ClientProgram & KnowledgeProgram = {
  id: 'cline',
  name: 'Cline',
  command: 'cline',
  endpoints: { 'chat-completions': chatEndpoint },
  keyPlaces: ['file'],
  files: ({ home }) => [
    {
      path: join(home, '.cline', 'data', 'settings', 'providers.json'),
      format: 'json',
      edits(current, target): Edit[] {
        const path = ['providers', 'openai-compatible'];
        const missing = Object.entries(stamps).filter(
          ([name]) => valueAt(current, [...path, name]) === undefined,
        );
        return [
          ...unlessThere(current, [{ path: ['version'], value: 1 }]),
          { path: ['lastUsedProvider'], value: 'openai-compatible' },
          {
            path,
            value: {
              settings: {
                provider: 'openai-compatible',
                apiKey: target.keyInFile ?? '',
                model: target.models[0].id,
                baseUrl: addressFor(cline, target),
              },
              ...Object.fromEntries(missing),
            },
          },
        ];
      },
    },
  ],
  /** Ignores the whole file for a comment or a byte order mark, and a server that takes 3 s to answer. */
  serverFile: ({ home }) => ({
    path: join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    format: 'json',
    refusesMark: true,
    list: ['mcpServers'],
    entry: commandEntry,
  }),
};
