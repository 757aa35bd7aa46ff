import { signatureOf } from '../relay/messagesRequest.ts';
import { callIds, placesOf, readTurns, resultIds, type TurnBody, type TurnRule } from './turns.ts';
import { firstRefusal, refused, type VendorCheck } from './vendorBody.ts';

function checkBlocks(body: TurnBody) {
  const ids = new Set<string>();
  for (const { block, turn, at } of placesOf(body)) {
    const path = `messages.${turn}.content.${at}`;
    if ('id' in block && !/^[a-zA-Z0-9_-]+$/.test(block.id)) {
      const field = block.type === 'tool_use' ? 'tool_use.id' : 'tool_result.tool_use_id';
      return refused(`${path}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
    if (block.type === 'text' || block.type === 'tool_result') {
      if (block.text === '') return refused('messages: text content blocks must be non-empty');
      if (!/\S/.test(block.text)) {
        return refused('messages: text content blocks must contain non-whitespace text');
      }
    }
    if (block.type === 'thinking' && block.signature !== signatureOf(body.model, block.thinking)) {
      return refused(`${path}: Invalid \`signature\` in \`thinking\` block`);
    }
    if (block.type !== 'tool_use') continue;
    if (ids.has(block.id)) return refused('messages: `tool_use` ids must be unique');
    ids.add(block.id);
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(block.name)) {
      return refused(`${path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    }
    if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input)) {
      return refused(`${path}.tool_use.input: Input should be a valid dictionary`);
    }
  }
  return undefined;
}

function checkPairs({ turns }: TurnBody) {
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    const asked = new Set(before ? callIds(before) : []);
    const foreign = resultIds(turn).find((id) => !asked.has(id));
    if (foreign !== undefined) {
      return refused(
        `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${foreign}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    const next = turns[index + 1];
    const answered = new Set(next ? resultIds(next) : []);
    const open = callIds(turn).filter((id) => !answered.has(id));
    if (open.length > 0) {
      return refused(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    }
  }
  return undefined;
}

function checkEnds({ turns }: TurnBody) {
  if (turns[0] && turns[0].role !== 'user') {
    return refused('messages: first message must use the "user" role');
  }
  if (turns.at(-1)?.role !== 'assistant') return undefined;
  return refused(
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
}

function checkTools(body: TurnBody) {
  const hasCalls = placesOf(body).some(({ block }) => block.type.startsWith('tool_'));
  if (!hasCalls || body.hasTools) return undefined;
  return refused('Requests which include `tool_use` or `tool_result` blocks must define tools');
}

const claudeRules: readonly TurnRule[] = [checkEnds, checkBlocks, checkPairs, checkTools];

/** With tool results, a reasoning model requires the thinking block that preceded their calls. */
function checkThinking({ turns, isThinking }: TurnBody) {
  const [asked, last] = turns.slice(-2);
  if (!isThinking || !asked || !last || resultIds(last).length === 0) return undefined;
  const [first] = asked.blocks;
  if (!first || first.type === 'thinking' || first.type === 'redacted_thinking') return undefined;
  return refused(
    `messages.${turns.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  );
}

function checkedBy(...rules: readonly TurnRule[]): VendorCheck {
  return (body, context) => {
    const read = readTurns(body, context);
    return read && firstRefusal(rules, read);
  };
}

export const claude: VendorCheck = checkedBy(...claudeRules);
export const claudeThinking: VendorCheck = checkedBy(...claudeRules, checkThinking);

function checkConversation({ turns }: TurnBody) {
  if (turns[0] && turns[0].role !== 'user') {
    return refused(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  }
  if (turns.some(({ role }, index) => role === turns[index - 1]?.role)) {
    return refused(
      'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
    );
  }
  return undefined;
}

function checkBedrockBlocks(body: TurnBody) {
  for (const { block, turn, at } of placesOf(body)) {
    if (block.type === 'text' && !/\S/.test(block.text)) {
      return refused(
        `The text field in the ContentBlock object at messages.${turn}.content.${at} is blank. Add text to the text field, and try again.`,
      );
    }
    if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null)) {
      return refused(
        `The format of the value at messages.${turn}.content.${at}.toolUse.input is invalid. Provide a json object for the field and try again.`,
      );
    }
  }
  const hasCalls = placesOf(body).some(({ block }) => block.type.startsWith('tool_'));
  if (!hasCalls || body.hasTools) return undefined;
  return refused('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
}

function checkBedrockPairs({ turns }: TurnBody) {
  for (const [index, turn] of turns.entries()) {
    const next = turns[index + 1];
    const answered = new Set(next ? resultIds(next) : []);
    const open = callIds(turn).filter((id) => !answered.has(id));
    if (open.length > 0) {
      return refused(
        `Expected toolResult blocks at messages.${index + 1}.content for the following Ids: ${open.join(', ')}`,
      );
    }
    const before = turns[index - 1];
    if (resultIds(turn).length > (before ? callIds(before).length : 0)) {
      return refused(
        `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`,
      );
    }
  }
  return undefined;
}

/** Claude on Bedrock: the service's own checks first, then the model's. */
export const bedrock: VendorCheck = checkedBy(
  checkConversation,
  checkBedrockBlocks,
  checkBedrockPairs,
  ...claudeRules,
);
