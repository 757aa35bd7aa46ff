import * as z from 'zod/mini';
import { builtInModeIds } from '../chat/modes/mode.ts';
import { processRuleSchema } from '../platform/processRule.ts';
import { type SettingLayers, tightened } from './tightened.ts';

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
  'chat.mode': z.enum(builtInModeIds),
  'chat.activeEditor': z.enum(['suggest', 'never']),
  'chat.maxToolRounds': z.int().check(z.minimum(1)),
  'tools.approval': z.record(z.string(), z.enum(['allow', 'ask', 'deny'])),
  'tools.commands': z.record(z.string(), z.enum(['allow', 'ask', 'deny'])),
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

/**
 * What counts of a setting. Of the wrong kind it counts as its default, but for rules, of which the rest still counts;
 * `problem` says what is wrong.
 * @param merged what the editor makes of all layers
 */
export function readSetting<N extends SettingName>(
  name: N,
  layers: SettingLayers,
  merged: unknown,
): { value: SettingValue<N>; problem?: string } {
  const strict = tightened(name, layers);
  const { globalValue = layers.defaultValue } = layers;
  const parsed = schemas[name].safeParse(strict ? globalValue : merged);
  return {
    value: (strict?.value ?? (parsed.success ? parsed.data : layers.defaultValue)) as SettingValue<N>,
    ...(!parsed.success && { problem: z.prettifyError(parsed.error) }),
  };
}
