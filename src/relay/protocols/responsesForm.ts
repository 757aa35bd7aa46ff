import type { SwitchboardError } from '../../base/errors/errors.ts';

export interface ResponsesForm {
  /** The role of the system text. Codex backends refuse `system`, some servers `developer`. */
  systemRole: 'developer' | 'system';
  /** Without it, reasoning can't go back. */
  encryptedReasoning: boolean;
  /** OpenAI gives summaries to verified organizations only. */
  summaries: boolean;
  reasoningItems: boolean;
  tokenLimit: boolean;
  cacheKey: boolean;
}

export const defaultResponsesForm: ResponsesForm = {
  systemRole: 'developer',
  encryptedReasoning: true,
  summaries: true,
  reasoningItems: true,
  tokenLimit: true,
  cacheKey: true,
};

type Knob = Exclude<keyof ResponsesForm, 'systemRole'>;

const isUnsupported =
  /unsupported (?:parameter|value)|unknown (?:parameter|field|name)|unrecogni[sz]ed|(?:not|n't) support|not (?:allowed|permitted|enabled)|unexpected|extra inputs/i;

/** Unambiguous messages, whatever field the server names. */
const lessons: readonly (readonly [Knob, RegExp])[] = [
  // gpt-4o: "Encrypted content is not supported with this model".
  ['encryptedReasoning', /encrypted content is not supported/i],
  ['summaries', /generate reasoning summar/i],
  // Another account or model, or changed ids: the items are lost.
  ['reasoningItems', /of type 'reasoning' was provided without its required following item/i],
  ['reasoningItems', /\bitem with id '?rs_\S* not found|items are not persisted when `?store/i],
  ['reasoningItems', /invalid_encrypted_content|encrypted content .{0,200}could not be verified/is],
  ['reasoningItems', /encrypted content item_id did not match/i],
  // Azure: a lost id, or two reasoning items.
  ['reasoningItems', /provided data does not match the expected schema/i],
  ['reasoningItems', /conflicting authenticated continuation identities/i],
];

const refusable: readonly (readonly [Knob, RegExp])[] = [
  ['encryptedReasoning', /^include\b|['"`]include\b|reasoning\.encrypted_content/],
  ['summaries', /\breasoning\.summary\b/],
  ['tokenLimit', /\bmax_output_tokens\b/],
  ['cacheKey', /\bprompt_cache_key\b/],
  // Models without reasoning refuse a summary by the name of the effort, although none was sent.
  ['summaries', /\breasoning(?:[._]effort)?\b/],
];

/** Each lesson applies once; undefined if none is left. `refusedParameter` has to handle the user's effort before. */
export function learnResponses(failure: SwitchboardError, form: ResponsesForm): ResponsesForm | undefined {
  if (failure.status === undefined || failure.status === 429) return undefined;
  const { parameter = '', serverCode = '', why = '' } = failure;
  const text = `${parameter} ${serverCode.replace('unsupported_', 'unsupported ')} ${why}`;
  const known = lessons.find(([, pattern]) => pattern.test(text));
  if (known) return without(form, known[0]);
  if (/\bdeveloper\b/.test(why) && isRefusedRole.test(why)) {
    return form.systemRole === 'developer' ? { ...form, systemRole: 'system' } : undefined;
  }
  if (!isUnsupported.test(text) || /supported (?:values|levels)/i.test(why)) return undefined;
  const refused = refusable.find(([, pattern]) => pattern.test(parameter || why));
  return refused && without(form, refused[0]);
}

/** "Invalid value: 'developer'. Supported values are: …", "unknown variant `developer`", "Unexpected role". */
const isRefusedRole =
  /invalid (?:value|role)|unknown variant|unexpected|expected one of|unsupported|not (?:supported|allowed|enabled)/i;

function without(form: ResponsesForm, knob: Knob): ResponsesForm | undefined {
  return form[knob] ? { ...form, [knob]: false } : undefined;
}
