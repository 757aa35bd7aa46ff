import type { Message, AssistantMessage } from '../messages.ts';

type Question = Message & { role: 'user' };

const opening = '[The conversation begins with an answer.]';
/** For vendors that refuse to continue an answer. */
const closing = '[Continue.]';
const seePictures = '[See the attached pictures.]';
const emptyQuestion = '[An empty message.]';
const resultsRead = 'I have read the results.';
const callingTools = 'Calling tools.';

export function systemFirst(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter(({ role }) => role === 'system');
  if (system.length === 0 || (system.length === 1 && messages[0] === system[0])) return messages;
  const content = system.map((message) => message.content).join('\n\n');
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')];
}

export function systemInFirstQuestion(messages: readonly Message[]): readonly Message[] {
  const [system, ...rest] = messages;
  if (system?.role !== 'system') return messages;
  const first = rest.findIndex(({ role }) => role === 'user');
  if (first < 0) return [{ role: 'user', content: system.content }, ...rest];
  return rest.map((message, index) =>
    index === first ? { ...message, content: [system.content, message.content].join('\n\n') } : message,
  );
}

/** Joins messages of one role, drops empty answers, and makes the user begin. No text is empty afterwards. */
export function alternate(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    if (message.role === 'assistant' && isEmptyAnswer(message)) continue;
    const last = turns.at(-1);
    if (message.role === 'user' && last?.role === 'user')
      turns[turns.length - 1] = joinQuestions(last, message);
    else if (message.role === 'assistant' && last?.role === 'assistant') {
      turns[turns.length - 1] = joinAnswers(last, message);
    } else {
      if (message.role === 'assistant' && (!last || last.role === 'system'))
        turns.push({ role: 'user', content: opening });
      turns.push(withSafeText(message));
    }
  }
  return turns;
}

export function userLast(messages: readonly Message[]): readonly Message[] {
  return messages.at(-1)?.role === 'assistant' ? [...messages, { role: 'user', content: closing }] : messages;
}

export function wordAfterResults(
  messages: readonly Message[],
  { model }: { model: string },
): readonly Message[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant', model, content: resultsRead } as const, message]
      : [message],
  );
}

export function wordBeforeCalls(answer: AssistantMessage): AssistantMessage {
  return answer.toolCalls?.length && answer.content === '' ? { ...answer, content: callingTools } : answer;
}

function isEmptyAnswer({ content, toolCalls }: AssistantMessage): boolean {
  return content.trim() === '' && !toolCalls?.length;
}

/** Beside calls, text may be empty but not blank. */
function withSafeText(message: Message): Message {
  if (message.role === 'user') return withText(message);
  const isBlank = message.role === 'assistant' && message.content !== '' && message.content.trim() === '';
  return isBlank ? { ...message, content: '' } : message;
}

function withText(question: Question): Question {
  if (question.content.trim() !== '') return question;
  return { ...question, content: question.images?.length ? seePictures : emptyQuestion };
}

function joinQuestions(one: Question, other: Question): Question {
  const images = [...(one.images ?? []), ...(other.images ?? [])];
  return withText({
    role: 'user',
    content: [one.content, other.content].filter((text) => text.trim() !== '').join('\n\n'),
    ...(images.length > 0 && { images }),
  });
}

/** Neither model made the calls of both, so reasoning and signatures stay with the second answer. */
function joinAnswers(one: AssistantMessage, other: AssistantMessage): AssistantMessage {
  const content = [one.content, other.content].filter((text) => text.trim() !== '').join('\n\n');
  return { ...other, content };
}
