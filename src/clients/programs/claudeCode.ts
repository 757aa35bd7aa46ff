import { join } from 'node:path';
import { asObject } from '../../base/json.ts';
import { addressFor, type ClientProgram, messagesEndpoint, type Target } from '../clientProgram.ts';
import type { Edit } from '../edit.ts';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

const variable = 'ANTHROPIC_AUTH_TOKEN';

/**
 * The file must be strict JSON, or it is ignored. Its settings override the shell, and references to variables are sent
 * verbatim. With two keys set both are sent, and a relay may read the other one.
 */
export const claudeCode: ClientProgram & KnowledgeProgram = {
  id: 'claude-code',
  name: 'Claude Code',
  command: 'claude',
  endpoints: {
    messages: {
      ...messagesEndpoint,
      path: '/v1/messages?beta=true',
      keyHeader: 'authorization',
      limit: { field: 'max_tokens', unset: 32_000 },
    },
  },
  keyPlaces: ['environment', 'file', 'terminal'],
  variable,
  writesLimits: true,
  files: ({ home, environment }) => [
    {
      path: join(environment['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
      format: 'json',
      edits: (_, target): Edit[] => [
        {
          path: ['env'],
          value: { ...settings(target), ...(target.keyInFile && { [variable]: target.keyInFile }) },
        },
        ...(target.keyInFile ? [] : [{ path: ['env', variable] }]),
        { path: ['env', 'ANTHROPIC_API_KEY'] },
        { path: ['apiKeyHelper'] },
      ],
    },
  ],
  /**
   * The file of its state, which it rewrites at each start, without a byte order mark; `settings.json` has no servers.
   * With a comment in it the program doesn't start. Starts servers of `.mcp.json` in a project unasked with `-p`.
   */
  serverFile: ({ home, environment }) => ({
    path: join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
    format: 'json',
    list: ['mcpServers'],
    entry: (server) => ({ type: 'stdio', ...commandEntry(server) }),
  }),
  variables: settings,
  cleared: ['ANTHROPIC_API_KEY'],
  overrides(current, variables) {
    const { env, apiKeyHelper } = current as { env?: unknown; apiKeyHelper?: unknown };
    const set = Object.entries(asObject(env) ?? {});
    const names = set.flatMap(([name, value]) =>
      name.startsWith('ANTHROPIC_') && value !== variables[name] ? name : [],
    );
    return apiKeyHelper === undefined ? names : [...names, 'apiKeyHelper'];
  },
  check: { arguments: ['-p', 'hi'], asksModel: true },
};

function settings(target: Target): Record<string, string> {
  const [{ id, contextWindow, maxTokens }] = target.models;
  return {
    ANTHROPIC_BASE_URL: addressFor(claudeCode, target),
    ANTHROPIC_MODEL: id,
    ...(maxTokens !== undefined && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens) }),
    ...(contextWindow !== undefined && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextWindow) }),
  };
}
