import * as z from 'zod/mini';

const segmentation = z.looseObject({
  separator: z.nullish(z.string()),
  max_tokens: z.number(),
  chunk_overlap: z.nullish(z.number()),
});

const rules = z.looseObject({
  pre_processing_rules: z.array(z.looseObject({ id: z.string(), enabled: z.boolean() })),
  segmentation,
  parent_mode: z.nullish(z.enum(['paragraph', 'full-doc'])),
  subchunk_segmentation: z.nullish(segmentation),
});

export const processRuleSchema = z.looseObject({
  mode: z.enum(['automatic', 'custom', 'hierarchical']),
  rules: z.nullish(rules),
});

export type ProcessRule = z.infer<typeof processRuleSchema>;
export type SegmentationRules = z.infer<typeof rules>;

export const automaticRules: SegmentationRules = {
  pre_processing_rules: [{ id: 'remove_extra_spaces', enabled: true }],
  segmentation: { max_tokens: 500, chunk_overlap: 50 },
};

/** The platform's message on incomplete rules, or undefined. */
export function objectionToRule(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'Process rule is required';
  const rule = value as Record<string, unknown>;
  if (rule['mode'] === undefined) return 'Process rule mode is required';
  if (!z.safeParse(processRuleSchema.shape.mode, rule['mode']).success) {
    return 'Process rule mode is invalid';
  }
  if (rule['mode'] === 'automatic') return undefined;
  const given = rule['rules'];
  if (typeof given !== 'object' || given === null) return 'Process rule rules is required';
  const { pre_processing_rules: cleaning, segmentation: cut } = given as Record<string, unknown>;
  if (!Array.isArray(cleaning)) return 'Process rule pre_processing_rules is required';
  if (typeof cut !== 'object' || cut === null) return 'Process rule segmentation is required';
  const { separator, max_tokens: maxTokens } = cut as Record<string, unknown>;
  if (typeof separator !== 'string' || separator === '')
    return 'Process rule segmentation separator is required';
  if (typeof maxTokens !== 'number') return 'Process rule segmentation max_tokens is required';
  return z.safeParse(processRuleSchema, value).success ? undefined : 'Process rule is invalid';
}
