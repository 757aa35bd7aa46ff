import { asObject, asText, type JsonObject } from '../../base/json.ts';
import type { ModelKind } from '../messages.ts';

/** LiteLLM's modes for chat completions and responses. */
const chatModes = new Set(['chat', 'completion', 'responses']);

/** new-api's endpoint types for chat. Source: its `constant/endpoint_type.go`. */
const chatEndpoints = new Set([
  'openai',
  'openai-response',
  'openai-response-compact',
  'anthropic',
  'gemini',
]);

/** A version may follow ("veo3"). `image` and `audio` are missing, since such models answer in chat. */
const otherWords = [
  ...['embed', 'embeds', 'embedding', 'embeddings', 'bge', 'm3e', 'rerank', 'reranker', 'reranking'],
  ...['tts', 'stt', 'asr', 'whisper', 'transcribe', 'transcription', 'speech', 'realtime', 'suno'],
  ...['dall[-_ ]?e', 'gpt[-_ ]image', 'qwen[-_ ]image', 'imagen', 'stable[-_ ]?diffusion', 'sdxl', 'flux'],
  ...['midjourney', 'seedream', 'cogview', 'text[-_ ]to[-_ ]image', 't2i'],
  ...['sora', 'veo', 'kling', 'seedance', 'hailuo', 'cogvideo', 'cogvideox', 'text[-_ ]to[-_ ]video'],
  ...['t2v', 'i2v', 'moderation', 'moderations'],
];
const otherName = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${otherWords.join('|')})(?:v?\d+)?(?![\p{L}\p{N}])`,
  'iu',
);

/** Classifies by the entry's fields, by its id only without them. The kind only affects lists, never requests. */
export function kindOf(id: string, entry: JsonObject): ModelKind {
  return kindByMode(entry) ?? kindByEndpoints(entry) ?? kindByModalities(entry) ?? kindByName(id);
}

export function isResponsesOnly({ mode, supported_endpoint_types: types }: JsonObject): boolean {
  if (mode === 'responses') return true;
  return (
    Array.isArray(types) &&
    types.includes('openai-response') &&
    !types.includes('openai') &&
    !types.includes('anthropic')
  );
}

function kindByMode(entry: JsonObject): ModelKind | undefined {
  const mode = asText(entry['mode']);
  return mode ? (chatModes.has(mode) ? 'chat' : 'other') : undefined;
}

/** new-api lists `openai` for other kinds, too: only a list without chat endpoints, or of responses only, decides. */
function kindByEndpoints(entry: JsonObject): ModelKind | undefined {
  const types = entry['supported_endpoint_types'];
  if (isResponsesOnly(entry)) return 'chat';
  if (!Array.isArray(types) || types.length === 0) return undefined;
  return types.some((type) => chatEndpoints.has(type)) ? undefined : 'other';
}

/** OpenRouter's modalities. Text from speech alone is a transcription. */
function kindByModalities(entry: JsonObject): ModelKind | undefined {
  const { input_modalities: input, output_modalities: output } = asObject(entry['architecture']) ?? {};
  if (!Array.isArray(output) || output.length === 0) return undefined;
  if (!output.includes('text')) return 'other';
  return Array.isArray(input) && input.includes('text') ? 'chat' : undefined;
}

/** Ignores a relay's or vendor's prefix; `chat` as a word decides. */
function kindByName(id: string): ModelKind {
  const name = id.slice(id.lastIndexOf('/') + 1);
  return otherName.test(name) && !/(?<![\p{L}\p{N}])chat(?![\p{L}\p{N}])/iu.test(name) ? 'other' : 'chat';
}
