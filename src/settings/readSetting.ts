import type { BuiltInModeId } from '../chat/modes/mode.ts';
import { asObject } from '../base/json.ts';
import { type JsonSchema, schemaProblem } from '../base/jsonSchema.ts';
import type { KnowledgeOptions } from '../knowledge/indexing/indexingSettings.ts';
import type { ChatOptions } from '../chat/chatDependencies.ts';
import type { BudgetLimits } from '../chat/spending/dailyBudget.ts';
import type { ModelOverride } from '../relay/list/modelOverrides.ts';
import type { RelayEntry } from '../relay/headers.ts';
import type { ReasoningEffort } from '../relay/parameters.ts';
import type { ProtocolSetting } from '../relay/messages.ts';
import { type ActiveEditorLevel, type SettingLayers, tightened } from './settingLayers.ts';

/** The values of all settings declared in `package.json`; null means not set. */
export interface SettingValues {
  'relay.baseUrl': string;
  'relay.headers': Record<string, string>;
  'relay.connections': RelayEntry[];
  'relay.models': ModelOverride[];
  'relay.protocol': ProtocolSetting;
  'chat.model': string;
  'chat.temperature': number | null;
  'chat.maxTokens': number | null;
  'chat.reasoningEffort': ReasoningEffort | null;
  'chat.stream': boolean;
  'chat.instructions': string;
  'chat.mode': BuiltInModeId;
  'chat.activeEditor': ActiveEditorLevel;
  'chat.fallbackModels': string[];
  'chat.maxToolRounds': number;
  'chat.dailyBudget': BudgetLimits;
  'chat.titles': boolean;
  'completions.model': string;
  'completions.languages': Record<string, boolean>;
  'tools.approval': Record<string, 'allow' | 'ask' | 'deny'>;
  'tools.commands': Record<string, 'allow' | 'ask' | 'deny'>;
  'tools.exclude': string[];
  'tools.protected': string[];
  'platform.baseUrl': string;
  'platform.user': string;
  'platform.clientId': string;
  'knowledge.indexingTechnique': KnowledgeOptions['technique'];
  'knowledge.processRule': KnowledgeOptions['processRule'];
  'knowledge.search': ChatOptions['knowledgeSearch'];
  'knowledge.concurrency': number;
  'knowledge.maxFileSizeMb': number;
  'knowledge.exclude': string[];
  'knowledge.autoSync': { maxFiles?: number; maxMegabytes?: number };
  'network.connectTimeoutSeconds': number;
  'network.firstTokenTimeoutSeconds': number;
  'network.idleTimeoutSeconds': number;
  'network.caFile': string;
  'network.clientCertificateFile': string;
  'network.clientKeyFile': string;
}
export type SettingName = keyof SettingValues;
export type SettingValue<N extends SettingName> = SettingValues[N];
export type SettingSchemas = Readonly<Partial<Record<string, JsonSchema>>>;

export function settingSchemas(packageJson: unknown): SettingSchemas {
  const { configuration } = asObject(asObject(packageJson)?.['contributes']) ?? {};
  return Object.fromEntries(
    [configuration]
      .flat()
      .flatMap((group) => Object.entries(asObject(asObject(group)?.['properties']) ?? {}))
      .map(([name, schema]) => [name.replace(/^switchboard\./, ''), schema as JsonSchema]),
  );
}

/** `merged` is the editor's value. An invalid one becomes the default; of invalid rules the valid ones count. */
export function readSetting<N extends SettingName>(
  name: N,
  schema: JsonSchema,
  layers: SettingLayers,
  merged: unknown,
): { value: SettingValue<N>; problem?: string } {
  const strict = tightened(name, layers);
  const { defaultValue, globalValue = defaultValue } = layers;
  const problem = schemaProblem(schema, strict ? globalValue : merged);
  const value = strict ? strict.value : problem === undefined ? merged : defaultValue;
  return {
    // The editor's objects are read-only proxies.
    value: (typeof value === 'object' ? JSON.parse(JSON.stringify(value)) : value) as SettingValue<N>,
    ...(problem !== undefined && { problem }),
  };
}
