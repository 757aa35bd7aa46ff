import { type ChatRule, chatOnly, hasPicture, refused, textsOf, type VendorCheck } from './vendorBody.ts';

/** Text models parse the parts of a message strictly. */
export const noPictures: ChatRule = ({ messages }) => {
  const at = messages.findIndex(hasPicture);
  if (at < 0) return undefined;
  return refused(
    `Failed to deserialize the JSON body into the target type: messages[${at}]: unknown variant \`image_url\`, expected \`text\``,
    { code: 'invalid_request_error' },
  );
};

/** Thinking is the default; with tools, every answer needs the field, and V4 Pro needs it filled. */
export const deepseekV4: VendorCheck = chatOnly(noPictures, ({ messages, tools = [] }) => {
  const lacksReasoning = messages.some(
    ({ role, reasoning_content: reasoning }) =>
      role === 'assistant' && (typeof reasoning !== 'string' || reasoning === ''),
  );
  if (tools.length === 0 || !lacksReasoning) return undefined;
  return refused('The `reasoning_content` in the thinking mode must be passed back to the API.', {
    code: 'invalid_request_error',
  });
});

export const deepseekR1: VendorCheck = chatOnly(noPictures, ({ messages }) =>
  messages.some(({ reasoning_content: reasoning }) => reasoning !== undefined)
    ? refused('The reasoning_content field is not allowed in input messages', {
        code: 'invalid_request_error',
      })
    : undefined,
);

/** Moonshot's models with thinking on, which is their default. */
export const kimi: VendorCheck = chatOnly(
  ({ messages }) => {
    const at = messages.findIndex((message) => {
      const hasCalls = (message.tool_calls?.length ?? 0) > 0;
      const texts = textsOf(message);
      return hasCalls ? texts.some((text) => /^\s+$/.test(text)) : !texts.some((text) => /\S/.test(text));
    });
    if (at < 0) return undefined;
    return refused(
      `Invalid request: the message at position ${at} with role '${messages[at]?.role}' must not be empty`,
    );
  },
  ({ messages }) => {
    const at = messages.findIndex(
      ({ tool_calls: calls = [], reasoning_content: reasoning }) =>
        calls.length > 0 && (typeof reasoning !== 'string' || reasoning === ''),
    );
    if (at < 0) return undefined;
    return refused(
      `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
    );
  },
);
