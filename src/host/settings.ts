import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Log } from '../base/log.ts';
import type { ChatOptions } from '../chat/chatDependencies.ts';
import { processRuleSchema } from '../platform/processRule.ts';
import { tightened } from './tightened.ts';

const section = 'switchboard';

const modelOverrideSchema = z.object({
  id: z.string().check(z.minLength(1)),
  name: z.optional(z.string()),
  contextWindow: z.optional(z.number()),
  maxTokens: z.optional(z.number()),
  toolCalling: z.optional(z.boolean()),
  vision: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
});

/** Every setting of `package.json` with the shape the parts rely on. `null` stands for "not set". */
const schemas = {
  'relay.baseUrl': z.string(),
  'relay.headers': z.record(z.string(), z.string()),
  'relay.models': z.array(modelOverrideSchema),
  'chat.model': z.string(),
  'chat.temperature': z.nullable(z.number().check(z.minimum(0), z.maximum(2))),
  'chat.maxTokens': z.nullable(z.int().check(z.minimum(1))),
  'chat.stream': z.boolean(),
  'chat.instructions': z.string(),
  'chat.maxToolRounds': z.int().check(z.minimum(1)),
  'tools.approval': z.record(z.string(), z.enum(['allow', 'ask', 'deny'])),
  'tools.exclude': z.array(z.string()),
  'tools.protected': z.array(z.string()),
  'platform.baseUrl': z.string(),
  'platform.user': z.string(),
  'knowledge.indexingTechnique': z.enum(['high_quality', 'economical']),
  'knowledge.processRule': processRuleSchema,
  'knowledge.search': z.enum(['always', 'model']),
  'knowledge.concurrency': z.int().check(z.minimum(1), z.maximum(5)),
  'knowledge.maxFileSizeMb': z.number().check(z.positive()),
  'knowledge.exclude': z.array(z.string()),
  'network.connectTimeoutSeconds': z.number().check(z.minimum(0)),
  'network.firstTokenTimeoutSeconds': z.number().check(z.minimum(0)),
  'network.idleTimeoutSeconds': z.number().check(z.minimum(0)),
  'network.caFile': z.string(),
};

type Schemas = typeof schemas;
export type SettingName = keyof Schemas;
export type SettingValue<N extends SettingName> = z.infer<Schemas[N]>;

/** Reads settings; one whose value is of the wrong kind counts as its default, and the log says so once a read. */
export class Settings {
  readonly onDidChange: vscode.Event<(name: SettingName) => boolean>;

  constructor(private readonly log: Log) {
    this.onDidChange = (listener, thisArg, disposables) =>
      vscode.workspace.onDidChangeConfiguration(
        (change) => {
          if (change.affectsConfiguration(section)) {
            listener.call(thisArg, (name) => change.affectsConfiguration(`${section}.${name}`));
          }
        },
        undefined,
        disposables,
      );
  }

  get<N extends SettingName>(name: N): SettingValue<N> {
    const configuration = vscode.workspace.getConfiguration(section);
    const strict = tightened(name, configuration.inspect(name) ?? {});
    const parsed = schemas[name].safeParse(strict ? strict.value : configuration.get(name));
    if (parsed.success) return parsed.data as SettingValue<N>;
    this.log.warn(`Setting ${section}.${name} is not valid and is ignored: ${z.prettifyError(parsed.error)}`);
    return configuration.inspect(name)?.defaultValue as SettingValue<N>;
  }

  /** Writes where the setting already has a value that wins, so that the change takes effect. */
  async set<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    const target =
      configuration.inspect(name)?.workspaceValue === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    await configuration.update(name, value, target);
  }
}

/** Limits in milliseconds; 0 means none. */
export function readTimeouts(settings: Settings): {
  connectMs: number;
  firstTokenMs: number;
  idleMs: number;
} {
  return {
    connectMs: settings.get('network.connectTimeoutSeconds') * 1000,
    firstTokenMs: settings.get('network.firstTokenTimeoutSeconds') * 1000,
    idleMs: settings.get('network.idleTimeoutSeconds') * 1000,
  };
}

export function readChatOptions(settings: Settings): ChatOptions {
  const temperature = settings.get('chat.temperature');
  const maxTokens = settings.get('chat.maxTokens');
  return {
    instructions: settings.get('chat.instructions'),
    stream: settings.get('chat.stream'),
    maxToolRounds: settings.get('chat.maxToolRounds'),
    knowledgeSearch: settings.get('knowledge.search'),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxTokens }),
  };
}
