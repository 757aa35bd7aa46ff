import * as z from 'zod/mini';

const segmentationSchema = z.object({
  separator: z.string(),
  /** 50 to 4000; a server setting may allow less, in which case indexing fails. */
  max_tokens: z.int().check(z.minimum(50)),
  chunk_overlap: z.optional(z.int().check(z.minimum(0))),
});

const segmentationRules = {
  pre_processing_rules: z.array(
    z.object({
      id: z.enum(['remove_extra_spaces', 'remove_urls_emails', 'remove_stopwords']),
      enabled: z.boolean(),
    }),
  ),
  segmentation: segmentationSchema,
};

/** Segmentation rules, in the API's form. Source: platform-api.md 7.3. */
export const processRuleSchema = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('automatic') }),
  z.object({ mode: z.literal('custom'), rules: z.object(segmentationRules) }),
  z.object({
    mode: z.literal('hierarchical'),
    rules: z.object({
      ...segmentationRules,
      parent_mode: z.enum(['paragraph', 'full-doc']),
      subchunk_segmentation: segmentationSchema,
    }),
  }),
]);
export type ProcessRule = z.infer<typeof processRuleSchema>;
