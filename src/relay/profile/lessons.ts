import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { Dialect } from './modelDialect.ts';
import { renderHistory } from '../history/renderHistory.ts';
import type { Message, ModelEvent, ModelRequest } from '../messages.ts';
import type { ModelFacts } from './modelFacts.ts';
import { plainTools } from './plainTools.ts';
import { refusedParameter } from '../protocols/refusedParameters.ts';
import { defaultResponsesForm, learnResponses } from '../protocols/responsesForm.ts';
import { lacksResponses, needsResponses } from '../protocols/responsesNeeded.ts';
import type { WireProtocol } from '../protocols/wireProtocol.ts';

export interface SentRequest {
  request: ModelRequest;
  messages: readonly Message[];
  protocol: WireProtocol;
  isProtocolChosen: boolean;
  dialect: Dialect;
  facts: ModelFacts;
  isMarked: boolean;
}

export interface Lesson {
  facts: ModelFacts;
  /** Only assumed: kept if the next attempt succeeds. */
  isTrial?: true;
  event?: ModelEvent;
}

type Teacher = (refusal: SwitchboardError, sent: SentRequest) => Lesson | undefined;

/**
 * The order matters: a refusal of tools with reasoning names the effort, but needs another protocol.
 * @param tried facts of this request's earlier lessons, so that no two alternate
 */
export function lessonFrom(
  refusal: SwitchboardError,
  sent: SentRequest,
  tried: ReadonlySet<string>,
): Lesson | undefined {
  if (refusal.status === undefined) return undefined;
  for (const teach of teachers) {
    const lesson = teach(refusal, sent);
    if (lesson && !tried.has(lessonKey(lesson)) && isNews(lesson, sent)) return lesson;
  }
  return undefined;
}

export function lessonKey({ facts }: Lesson): string {
  return JSON.stringify(facts);
}

function isNews({ facts }: Lesson, { dialect, facts: known }: SentRequest): boolean {
  const now: Record<string, unknown> = { ...dialect, ...known };
  return Object.entries(facts).some(([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value));
}

/** A model that needs another protocol for tools supports them. */
export function refusesTools(refusal: SwitchboardError): boolean {
  const { code, parameter = '', why = '' } = refusal;
  return (
    code === 'request' &&
    !needsResponses(refusal) &&
    (/^(tools|tool_choice|functions)$/.test(parameter) ||
      /\b(tools?|function calling)\b.*\b(not|n't|un)[ -]?(support|allow|available)|does not support.*\b(tools?|function)/i.test(
        why,
      ))
  );
}

const wordsOf = ({ parameter = '', why = '' }: SwitchboardError) => `${parameter} ${why}`;

/** Without the responses protocol, tools win over reasoning. */
const responsesNeeded: Teacher = (refusal, { protocol, isProtocolChosen, facts }) => {
  if (protocol.name === 'responses' || isProtocolChosen || !needsResponses(refusal)) return undefined;
  if (!facts.lacksResponses) return { facts: { protocol: 'responses' } };
  return { facts: { effortWithTools: false }, event: { type: 'adapted', to: 'no-reasoning' } };
};

const responsesAbsent: Teacher = (refusal, { protocol, isProtocolChosen }) =>
  protocol.name === 'responses' && !isProtocolChosen && lacksResponses(refusal)
    ? { facts: { protocol: 'chat-completions', lacksResponses: true } }
    : undefined;

/** After `parameters`: the user's choices are dropped with a notice. */
const responsesForm: Teacher = (refusal, { protocol, dialect }) => {
  if (protocol.name !== 'responses') return undefined;
  const responses = learnResponses(refusal, dialect.responses ?? defaultResponsesForm);
  return responses && { facts: { responses } };
};

const cacheMarks: Teacher = (refusal, { isMarked }) => {
  if (!isMarked || refusal.code !== 'request') return undefined;
  const isAboutMarks =
    /cache_control/.test(wordsOf(refusal)) ||
    /^messages\b.*\bcontent\b/.test(refusal.parameter ?? '') ||
    // One API drops the calls of a message whose content has parts, and the vendor misses them.
    /unexpected `tool_use_id`|must be a response to a prece/.test(refusal.why ?? '');
  return isAboutMarks ? { facts: { cacheMarks: false } } : undefined;
};

/** Vendors' messages, documented or reported, with the remedy. */
const texts: readonly { text: RegExp; facts: ModelFacts }[] = [
  // Kimi K2.5: "reasoning_content is missing in assistant tool call message at index 2"
  { text: /reasoning_content\b.*\bmissing\b.*\btool call/i, facts: { reasoning: 'calls' } },
  // DeepSeek V4: "The `reasoning_content` in the thinking mode must be passed back to the API."
  { text: /^(?=.*\breasoning_content\b).*\b(?:must be|missing|required?)\b/is, facts: { reasoning: 'all' } },
  // DeepSeek R1: "The reasoning_content field is not allowed in input messages"
  // Anthropic: "Invalid `signature` in `thinking` block"
  { text: /\breasoning_content\b|\bsignature\b.*\bthinking\b.*\bblock/i, facts: { reasoning: 'none' } },
  // Anthropic: "Expected `thinking` or `redacted_thinking`, but found `tool_use`"
  { text: /expected `?thinking`? or `?redacted_thinking/i, facts: { thinksFromStart: true } },
  { text: /\bthinking(?:\b.*\b|_)block|\.thinking\./, facts: { reasoning: 'none' } },
  // Gemini 3: "Function call is missing a thought_signature in functionCall parts…"
  { text: /\bthought_signature\b/i, facts: { signatures: true } },
  // Mistral: "Unexpected role 'user' after role 'tool'"; templates: "conversation roles must alternate user and assistant"
  { text: /role 'user' after role 'tool'|roles must alternate/i, facts: { wordAfterResults: true } },
  // Claude behind One API: "all messages must have non-empty content"
  { text: /must have non-empty content/i, facts: { wordBeforeCalls: true } },
  /** o1-mini: "does not support 'system'"; Gemma: "Developer instruction is not enabled"; templates: "System role …" */
  {
    text: /does not support 'system'|(?:developer|system)[ _](?:instruction|role|message|prompt)s? (?:is |are )?not (?:enabled|supported|allowed)|only user and assistant roles/i,
    facts: { systemRole: false },
  },
];

const vendorsWords: Teacher = (refusal) => {
  if (refusal.code !== 'request') return undefined;
  const facts = texts.find(({ text }) => text.test(wordsOf(refusal)))?.facts;
  return facts && { facts };
};

/** Gemini: 'Unknown name "additionalProperties" … Cannot find field.' OpenAI: name and text lengths, 128 tools. */
const toolForm: Teacher = (refusal, { request: { tools = [] } }) => {
  const isAboutForm =
    /unknown name .*cannot find field|\btools\b.*\b(?:too long|maximum length|match pattern)/is.test(
      wordsOf(refusal),
    );
  if (refusal.code !== 'request' || !isAboutForm) return undefined;
  const isLess = plainTools(tools).length < tools.length;
  return {
    facts: { tools: 'plain' },
    ...(isLess && { event: { type: 'adapted', to: 'fewer-tools' } }),
  };
};

/** The user can remove new pictures; earlier ones become text. */
const pictures: Teacher = ({ code }, { messages }) => {
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  const hasPictures = (message: Message) => message.role === 'user' && Boolean(message.images?.length);
  if (code !== 'images' || !messages.some((message, at) => at !== newest && hasPictures(message)))
    return undefined;
  return { facts: { pictures: 'newest' }, event: { type: 'adapted', to: 'no-older-pictures' } };
};

const fields: Teacher = (refusal, { request, protocol, dialect }) => {
  if (refusal.code !== 'request') return undefined;
  const { parameter = '', why = '' } = refusal;
  const isByMessages = protocol.name === 'messages';
  if (
    isByMessages &&
    (request.reasoningEffort ?? 'none') !== 'none' &&
    refusedEffort.test(wordsOf(refusal))
  ) {
    return { facts: { effort: 'budget' } };
  }
  const most = Number(/\bmax_tokens: \d+ > (\d+)/.exec(why)?.[1]);
  if (isByMessages && request.maxTokens === undefined && most > 0 && dialect.answerLimit === undefined) {
    return { facts: { answerLimit: most } };
  }
  if (/^stream_options\b/.test(parameter)) return { facts: { streamOptions: false } };
  if (parameter === 'stream') return { facts: { stream: false } };
  const wantsOther = parameter === 'max_tokens' && /max_completion_tokens/.test(why);
  return wantsOther ? { facts: { maxTokensField: 'max_completion_tokens' } } : undefined;
};

/**
 * Anthropic's models before 4.6: "adaptive thinking is not supported on this model", "This model does not support the
 * effort parameter"; older servers: "thinking: Input tag 'adaptive' found", "output_config: Extra inputs are not
 * permitted". An unsupported level is different.
 */
const refusedEffort =
  /\badaptive\b|\bthinking\.type\b|\beffort parameter\b|\boutput_config\b.*(?:extra inputs|unexpected|unknown|unrecogni[sz]ed)/i;

const parameters: Teacher = (refusal, { request, protocol, dialect, facts }) => {
  const refused = refusedParameter(refusal, request, protocol.fields(dialect));
  if (refused === undefined) return undefined;
  return {
    facts: { refusedParameters: [...(facts.refusedParameters ?? []), refused] },
    event: { type: 'parameterRefused', refused },
  };
};

/** Some relays don't really speak the protocol. The vendor itself refuses the user's choices. */
const halfSpoken: Teacher = ({ code, why = '' }, { protocol, isProtocolChosen }) => {
  if (protocol.name !== 'messages' || isProtocolChosen) return undefined;
  const isHalfSpoken =
    code === 'wrong-address' || (code === 'request' && !/^(temperature|max_tokens)\b/.test(why));
  return isHalfSpoken ? { facts: { protocol: 'chat-completions' }, isTrial: true } : undefined;
};

const plainHistory: Teacher = (refusal, { request, messages, dialect }) => {
  const { code, parameter = '' } = refusal;
  const isAboutHistory =
    code === 'request' && (parameter === '' || /^(?:messages|input|contents)\b/.test(parameter));
  if (!isAboutHistory || refusesTools(refusal)) return undefined;
  const plain = renderHistory(request.messages, {
    model: request.model,
    dialect: { ...dialect, history: 'plain', wordAfterResults: true },
    hasTools: Boolean(request.tools?.length),
  });
  if (JSON.stringify(plain) === JSON.stringify(messages)) return undefined;
  return {
    facts: { history: 'plain', wordAfterResults: true },
    isTrial: true,
    event: { type: 'adapted', to: 'plain-history' },
  };
};

/** By the messages protocol, a refusal that names messages is a vendor's. */
const plainMessages: Teacher = (refusal, sent) =>
  /^messages\b|\broles?\b|\btool_(?:use|result)\b/.test(refusal.why ?? '')
    ? plainHistory(refusal, sent)
    : undefined;

const teachers: readonly Teacher[] = [
  responsesNeeded,
  responsesAbsent,
  cacheMarks,
  pictures,
  vendorsWords,
  toolForm,
  fields,
  parameters,
  responsesForm,
  plainMessages,
  halfSpoken,
  plainHistory,
];
