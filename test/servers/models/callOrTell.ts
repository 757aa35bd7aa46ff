import {
  type ChatRequest,
  foundBefore,
  lastUserText,
  messagesOfTurn,
  questionOf,
} from '../relay/chatRequest.ts';
import { type Step, text, toolCall } from '../script/script.ts';
import { planCalls } from './planCalls.ts';
import { tellResults, tellSegments } from './tellResults.ts';

/** Makes the calls that the message asks for; then reports their results; echoes without any. */
export function* callOrTell(id: string, request: ChatRequest, calls = planCalls(request)): Generator<Step> {
  if (calls.length > 0) {
    yield* calls.map(toolCall);
  } else if (messagesOfTurn(request).some((message) => message.role === 'tool')) {
    yield text(`I am \`${id}\`, a **scripted** model of the sandbox. ${tellResults(request)}`);
  } else {
    yield text(echo(id, request));
  }
}

export function echo(id: string, request: ChatRequest): string {
  const { messages, tools = [] } = request;
  const images = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'image_url') : [],
  );
  const notes = [
    `I saw **${messages.length} ${messages.length === 1 ? 'message' : 'messages'}**` +
      ` (${countRoles(messages.map(({ role }) => role))}).`,
    ...(tools.length > 0
      ? [`I was offered ${tools.length} tools: ${tools.map(nameOfTool).join(', ')}.`]
      : []),
    ...(images.length > 0 ? [`I was shown ${images.length} images, which I cannot see.`] : []),
  ];
  const said = lastUserText(request);
  const [found] = foundBefore.exec(said) ?? [];
  const quote = questionOf(request).replace(/^/gm, '> ');
  if (found) notes.push(`In the knowledge bases I was given:\n\n${tellSegments(found)}`);
  return `I am \`${id}\`, a **scripted** model of the sandbox. You wrote:\n\n${quote}\n\n${notes.join(' ')}\n`;
}

function nameOfTool(tool: NonNullable<ChatRequest['tools']>[number]): string {
  return `\`${tool.function.name}\``;
}

function countRoles(roles: readonly string[]): string {
  return [...new Set(roles)]
    .map((role) => `${roles.filter((other) => other === role).length} ${role}`)
    .join(', ');
}
