import {
  callsOf,
  type ChatBody,
  chatOnly,
  type ChatRule,
  hasPicture,
  refused,
  type VendorCheck,
} from './vendorBody.ts';

const namePattern = /^[a-zA-Z0-9_-]+$/;
const limits = { id: 40, name: 64, description: 1024, tools: 128 };

function tooLong(param: string, text: string, most: number) {
  return refused(
    `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${text.length} instead.`,
    { param, code: 'string_above_max_length' },
  );
}

function wrongName(param: string) {
  return refused(
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    { param, code: 'invalid_value' },
  );
}

function checkCalls(body: ChatBody) {
  for (const { call, path } of callsOf(body)) {
    if (call.id.length > limits.id) return tooLong(`${path}.id`, call.id, limits.id);
    const { name } = call.function;
    if (!namePattern.test(name)) return wrongName(`${path}.function.name`);
    if (name.length > limits.name) return tooLong(`${path}.function.name`, name, limits.name);
  }
  return undefined;
}

/** Pictures are accepted in user messages only. */
export const picturesOfUser: ChatRule = ({ messages }) => {
  const at = messages.findIndex((message) => message.role !== 'user' && hasPicture(message));
  if (at < 0) return undefined;
  return refused(
    `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${messages[at]?.role}' contains an image URL.`,
    { param: `messages[${at}]`, code: 'invalid_value' },
  );
};

function checkTools({ tools = [] }: ChatBody) {
  if (tools.length > limits.tools) {
    return refused(
      `Invalid 'tools': array too long. Expected an array with maximum length ${limits.tools}, but got an array with length ${tools.length} instead.`,
      { param: 'tools', code: 'array_above_max_length' },
    );
  }
  for (const [index, { function: tool }] of tools.entries()) {
    const path = `tools[${index}].function`;
    const { name, description = '' } = tool;
    if (!namePattern.test(name)) return wrongName(`${path}.name`);
    if (name.length > limits.name) return tooLong(`${path}.name`, name, limits.name);
    if (description.length > limits.description) {
      return tooLong(`${path}.description`, description, limits.description);
    }
  }
  return undefined;
}

const openaiRules: readonly ChatRule[] = [checkCalls, picturesOfUser, checkTools];

/** OpenAI's models without reasoning, by chat completions; Azure's deployments of them refuse the same. */
export const openaiChat: VendorCheck = chatOnly(...openaiRules);

/** o1 to o4: another field for the limit, no temperature. */
export const oSeries: VendorCheck = chatOnly(
  ({ max_tokens: limit }) =>
    (limit ?? null) === null
      ? undefined
      : refused(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          { param: 'max_tokens', code: 'unsupported_parameter' },
        ),
  ({ temperature }) =>
    (temperature ?? 1) === 1
      ? undefined
      : refused(
          `Unsupported value: 'temperature' does not support ${String(temperature)} with this model. Only the default (1) value is supported.`,
          { param: 'temperature', code: 'unsupported_value' },
        ),
  ...openaiRules,
);

/** GPT-5.6: tools by the responses protocol, or without reasoning. */
export const openaiResponses: VendorCheck = chatOnly(
  ({ model, tools = [], reasoning_effort: effort }) =>
    tools.length === 0 || effort === 'none'
      ? undefined
      : refused(
          `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
          { param: 'reasoning_effort' },
        ),
  ...openaiRules,
);
