import { bedrock, claude, claudeThinking } from './claude.ts';
import { deepseekR1, deepseekV4, kimi } from './deepseek.ts';
import { gemini3 } from './gemini.ts';
import { openaiChat, openaiResponses, oSeries } from './openai.ts';
import { mistral, noTools, noVision, vllmStrict } from './templates.ts';
import type { VendorCheck } from './vendorBody.ts';

/** Sources are in the README. */
export const vendorChecks = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'o-series': oSeries,
  azure: openaiChat,
  claude,
  'claude-thinking': claudeThinking,
  bedrock,
  'gemini-3': gemini3,
  'deepseek-v4': deepseekV4,
  'deepseek-r1': deepseekR1,
  'kimi-k2.5': kimi,
  mistral,
  'vllm-strict': vllmStrict,
  'no-tools': noTools,
  'no-vision': noVision,
} satisfies Record<string, VendorCheck>;

export type VendorKind = keyof typeof vendorChecks;

export const vendorKinds = Object.keys(vendorChecks) as VendorKind[];

export const blindKinds: ReadonlySet<VendorKind> = new Set(['deepseek-v4', 'deepseek-r1', 'no-vision']);
