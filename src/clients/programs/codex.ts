import { join } from 'node:path';
import { addressFor, type ClientProgram, responsesEndpoint } from '../clientProgram.ts';
import { type Edit, valueAt } from '../edit.ts';
import { providerId } from '../programEntries.ts';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

/** The provider choice must precede the first table: later it is ignored and the vendor is called. */
export const codex: ClientProgram & KnowledgeProgram = {
  id: 'codex',
  name: 'Codex',
  command: 'codex',
  endpoints: { responses: responsesEndpoint },
  keyPlaces: ['environment', 'terminal', 'file'],
  files: ({ home, environment }) => [
    {
      path: join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml'),
      format: 'toml',
      edits(current, target): Edit[] {
        const address = addressFor(codex, target);
        const provider = providerId(valueAt(current, ['model_providers']), address, ['base_url']);
        const path = ['model_providers', provider];
        const [{ id, contextWindow }] = target.models;
        return [
          { path: ['model'], value: id },
          { path: ['model_provider'], value: provider },
          ...(contextWindow === undefined ? [] : [{ path: ['model_context_window'], value: contextWindow }]),
          {
            path,
            value: {
              name: 'Relay',
              base_url: address,
              wire_api: 'responses',
              ...(target.keyInFile
                ? { experimental_bearer_token: target.keyInFile }
                : { env_key: target.variable }),
            },
          },
          { path: [...path, target.keyInFile ? 'env_key' : 'experimental_bearer_token'] },
        ];
      },
    },
  ],
  /** Gives servers no variable but HOME, PATH and TERM. `exec` doesn't wait for one that takes 2 s to answer. */
  serverFile: (machine) => ({
    path: codex.files(machine)[0]?.path ?? '',
    format: 'toml',
    list: ['mcp_servers'],
    entry: commandEntry,
  }),
  check: { arguments: ['exec', '--skip-git-repo-check', 'hi'], asksModel: true },
};
