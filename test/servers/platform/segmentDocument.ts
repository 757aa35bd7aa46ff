import { randomUUID } from 'node:crypto';
import { automaticRules, type ProcessRule, type SegmentationRules } from './processRule.ts';
import { cleanText, splitText } from './splitText.ts';
import type { DocumentForm, StoredChildChunk, StoredSegment } from './storedDataset.ts';

/** The upper limit is a setting of the server. */
const minTokens = 50;
const maxTokens = 4000;

export function segmentationError(rule: ProcessRule): string | undefined {
  const { max_tokens: given } = rulesOf(rule).segmentation;
  return given < minTokens || given > maxTokens
    ? `Custom segment length should be between ${minTokens} and ${maxTokens}.`
    : undefined;
}

export function segmentDocument(
  text: string,
  rule: ProcessRule,
  form: DocumentForm,
  now: number,
): StoredSegment[] {
  const rules = rulesOf(rule);
  const { separator, max_tokens: limit, chunk_overlap: overlap } = rules.segmentation;
  const cleaned = cleanText(text, rules.pre_processing_rules);
  const isWhole = rules.parent_mode === 'full-doc';
  const contents = isWhole
    ? [cleaned.trim()].filter((content) => content !== '')
    : splitText(cleaned, separator ? toSeparator(separator) : undefined, limit, overlap ?? 0);
  return contents.map((content, index) => ({
    ...newSegment(content, index + 1, now),
    // A real server has a model write the questions and answers.
    ...(form === 'qa_model' && { content: `What does part ${index + 1} say?`, answer: content }),
    childChunks: form === 'hierarchical_model' ? toChildChunks(content, rule, now) : [],
  }));
}

export function newSegment(content: string, position: number, now: number): StoredSegment {
  return {
    id: randomUUID(),
    position,
    content,
    answer: null,
    keywords: keywordsOf(content),
    isEnabled: true,
    hitCount: 0,
    createdAt: now,
    childChunks: [],
  };
}

export function toChildChunks(content: string, rule: ProcessRule, now: number): StoredChildChunk[] {
  const { separator, max_tokens: limit } = rulesOf(rule).subchunk_segmentation ?? {
    separator: '\n',
    max_tokens: 300,
  };
  return splitText(content, toSeparator(separator ?? '\n'), limit).map((chunk, index) =>
    newChildChunk(chunk, index + 1, now),
  );
}

export function newChildChunk(content: string, position: number, now: number): StoredChildChunk {
  return { id: randomUUID(), position, content, createdAt: now };
}

function rulesOf(rule: ProcessRule): SegmentationRules {
  return rule.mode === 'automatic' ? automaticRules : (rule.rules ?? automaticRules);
}

/** Separators come as typed into a form, also with `\n` in two characters. */
function toSeparator(separator: string): string {
  return separator.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
}

/** The most frequent longer words, as the economy index picks them. */
function keywordsOf(content: string): string[] {
  const counts = new Map<string, number>();
  for (const [word] of content.toLowerCase().matchAll(/[\p{L}\p{N}_]{3,}/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .slice(0, 10)
    .map(([word]) => word);
}
