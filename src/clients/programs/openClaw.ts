import { join } from 'node:path';
import {
  addressFor,
  chatEndpoint,
  type ClientProgram,
  messagesBelowVersion,
  type Target,
} from '../clientProgram.ts';
import { type Edit, type Value, valueAt } from '../edit.ts';
import { itemEdits, known, providerId, unlessThere } from '../programEntries.ts';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

/** The output limit is charged in advance. For `auth` only `api-key` works; bearer tokens use a separate field. */
export const openClaw: ClientProgram & KnowledgeProgram = {
  id: 'openclaw',
  name: 'OpenClaw',
  command: 'openclaw',
  endpoints: {
    'chat-completions': { ...chatEndpoint, limit: { field: 'max_completion_tokens', unset: 8192 } },
    messages: { ...messagesBelowVersion, limit: { field: 'max_tokens', unset: 8192 } },
  },
  keyPlaces: ['environment', 'terminal', 'file'],
  hasManyModels: true,
  writesLimits: true,
  asksForAuth: true,
  files: ({ home, environment }) => [
    {
      path: environment['OPENCLAW_CONFIG_PATH'] || join(home, '.openclaw', 'openclaw.json'),
      format: 'json5',
      edits(current, target): Edit[] {
        const address = addressFor(openClaw, target);
        const id = providerId(valueAt(current, ['models', 'providers']), address, ['baseUrl']);
        const provider = ['models', 'providers', id];
        const primary = `${id}/${target.models[0].id}`;
        const chosen = ['agents', 'defaults', 'model'];
        return [
          // The other mode removes all built-in providers.
          ...unlessThere(current, [{ path: ['models', 'mode'], value: 'merge' }]),
          { path: provider, value: entry(address, target) },
          ...(target.auth === 'bearer' ? [] : [{ path: [...provider, 'authHeader'] }]),
          ...itemEdits(
            current,
            [...provider, 'models'],
            target.models.map(({ id: model, name, contextWindow, maxTokens }) => ({
              same: { id: model },
              // A name is required; the user's own stays.
              value: (isNew) => ({
                id: model,
                ...(isNew && { name }),
                ...known({ contextWindow, maxTokens }),
              }),
            })),
          ),
          typeof valueAt(current, chosen) === 'string'
            ? { path: chosen, value: primary }
            : { path: [...chosen, 'primary'], value: primary },
        ];
      },
    },
  ],
  /** Gives servers no variable but HOME, PATH, PWD and TERM. */
  serverFile: (machine) => ({
    path: openClaw.files(machine)[0]?.path ?? '',
    format: 'json5',
    list: ['mcp', 'servers'],
    entry: commandEntry,
  }),
  check: { arguments: ['config', 'validate'], asksModel: false },
};

function entry(address: string, { protocol, variable, keyInFile, auth }: Target): { [name: string]: Value } {
  return {
    baseUrl: address,
    apiKey: keyInFile ?? `\${${variable}}`,
    auth: 'api-key',
    ...(auth === 'bearer' && { authHeader: true }),
    api: protocol === 'messages' ? 'anthropic-messages' : 'openai-completions',
  };
}
