import { noPictures } from './deepseek.ts';
import {
  callsOf,
  type ChatBody,
  chatOnly,
  refused,
  type SentMessage,
  textsOf,
  type VendorCheck,
} from './vendorBody.ts';

// Vendors and servers that check the order of roles: Mistral's service, and chat templates that raise
// exceptions.

function wrongOrder(message: string) {
  return refused(message, { type: 'invalid_request_message_order', code: '3230' });
}

function checkMistralIds({ messages, ...body }: ChatBody) {
  const ids = [
    ...callsOf({ messages, ...body }).map(({ call }) => call.id),
    ...messages.flatMap(({ tool_call_id: id }) => id ?? []),
  ];
  const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  if (wrong === undefined) return undefined;
  return refused(`Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`, {
    type: 'invalid_function_call',
    code: '3280',
  });
}

/** Roles that may not directly follow a role; "" is the beginning. */
const unexpected: Readonly<Record<string, readonly string[]>> = {
  '': ['assistant', 'tool'],
  system: ['assistant', 'tool'],
  user: ['user', 'system', 'tool'],
  assistant: ['assistant', 'system'],
  tool: ['user', 'system'],
};

function checkMistralOrder({ messages }: ChatBody) {
  for (const [index, { role }] of messages.entries()) {
    const before = messages[index - 1]?.role ?? '';
    if (unexpected[before]?.includes(role)) {
      return wrongOrder(
        before
          ? `Unexpected role '${role}' after role '${before}'`
          : `Unexpected role '${role}' at the beginning`,
      );
    }
  }
  const last = messages.at(-1)?.role ?? '';
  if (last === 'user' || last === 'tool') return undefined;
  return wrongOrder(
    `Expected last role User or Tool (or Assistant with prefix True) for serving but got ${last}`,
  );
}

function checkMistralTexts({ messages }: ChatBody) {
  const at = messages.findIndex((message) => isBlank(message));
  if (at < 0) return undefined;
  return refused('Assistant message must have either content or tool_calls.', {
    type: 'invalid_request_error',
    code: '3240',
  });
}

function isBlank(message: SentMessage): boolean {
  if ((message.tool_calls?.length ?? 0) > 0) return false;
  return !textsOf(message).some((text) => /\S/.test(text)) && !Array.isArray(message.content);
}

export const mistral: VendorCheck = chatOnly(checkMistralOrder, checkMistralIds, checkMistralTexts);

function templateError(message: string) {
  return refused(message, { type: 'BadRequestError', code: 400 });
}

/** Like Mistral's and Gemma's templates: calls and results don't count as a turn. */
export const vllmStrict: VendorCheck = chatOnly(({ messages }) => {
  if (messages.some(({ role }, index) => role === 'system' && index > 0)) {
    return templateError('System message must be at the beginning.');
  }
  const speakers = messages
    .filter(({ tool_calls: calls = [] }) => calls.length === 0)
    .flatMap(({ role }) => (role === 'user' || role === 'assistant' ? role : []));
  if (speakers.every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant'))) return undefined;
  return templateError(
    'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
  );
});

/** A server of models without tools, which knows neither the field nor the role. */
export const noTools: VendorCheck = chatOnly(({ model, messages, tools = [], tool_choice: choice }) => {
  if (tools.length > 0 || choice !== undefined) return refused(`${model} does not support tools`);
  const at = messages.findIndex(({ role, tool_calls: calls }) => role === 'tool' || calls !== undefined);
  if (at < 0) return undefined;
  return refused(
    messages[at]?.role === 'tool'
      ? `messages[${at}].role: unknown variant \`tool\`, expected one of \`system\`, \`user\`, \`assistant\``
      : `messages[${at}].tool_calls: Extra inputs are not permitted`,
  );
});

export const noVision: VendorCheck = chatOnly(noPictures);
