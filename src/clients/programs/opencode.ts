import { join } from 'node:path';
import {
  addressFor,
  chatEndpoint,
  type ClientProgram,
  messagesBelowVersion,
  type Target,
} from '../clientProgram.ts';
import { type Edit, type Value, valueAt } from '../edit.ts';
import { providerId, unlessThere } from '../programEntries.ts';
import { type KnowledgeProgram, localEntry } from '../knowledgeProgram.ts';

const limit = { field: 'max_tokens', unset: 32_000 } as const;

/** The base address includes the version for every protocol; without it, opencode retries silently forever. */
export const opencode: ClientProgram & KnowledgeProgram = {
  id: 'opencode',
  name: 'opencode',
  command: 'opencode',
  endpoints: {
    'chat-completions': { ...chatEndpoint, limit },
    messages: { ...messagesBelowVersion, limit },
  },
  keyPlaces: ['environment', 'terminal', 'file'],
  hasManyModels: true,
  writesLimits: true,
  files({ home, environment, exists }) {
    const folder = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
    const withComments = join(folder, 'opencode.jsonc');
    return [
      {
        path: exists(withComments) ? withComments : join(folder, 'opencode.json'),
        format: 'jsoncWithTrailingCommas',
        edits(current, target): Edit[] {
          const providers = valueAt(current, ['provider']);
          const id = providerId(providers, addressFor(opencode, target), ['options', 'baseURL']);
          const { provider, model } = configuration(target, id);
          return [
            ...withSchema(current),
            { path: ['provider'], value: provider },
            { path: ['model'], value: model },
          ];
        },
      },
    ];
  },
  /** Waits 30 s for a server. Starts those of a project unasked. Models see no links of results. */
  serverFile: (machine) => ({
    path: opencode.files(machine)[0]?.path ?? '',
    format: 'jsoncWithTrailingCommas',
    list: ['mcp'],
    entry: localEntry,
    further: withSchema,
  }),
  variables: (target) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(target, 'relay')) }),
  check: { arguments: ['run', 'hi'], asksModel: true },
};

const $schema = 'https://opencode.ai/config.json';

/** opencode adds this at its first start, which would change the file we wrote. */
function withSchema(current: object): Edit[] {
  return unlessThere(current, [{ path: ['$schema'], value: $schema }]);
}

function configuration(target: Target, id: string): { $schema: string; provider: Value; model: string } {
  const models = target.models.map((model) => {
    const { name, contextWindow: context, maxTokens: output } = model;
    const hasLimit = context !== undefined && output !== undefined;
    return [model.id, { name, ...(hasLimit && { limit: { context, output } }) }] as const;
  });
  return {
    $schema,
    provider: {
      [id]: {
        npm: target.protocol === 'messages' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
        name: 'Relay',
        options: {
          baseURL: addressFor(opencode, target),
          apiKey: target.keyInFile ?? `{env:${target.variable}}`,
        },
        models: Object.fromEntries(models),
      },
    },
    model: `${id}/${target.models[0].id}`,
  };
}
