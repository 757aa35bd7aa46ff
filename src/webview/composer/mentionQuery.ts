export interface MentionQuery {
  readonly start: number;
  readonly query: string;
  readonly isPrompt?: boolean;
}

/** A mention starts after anything but a Latin letter, a digit or a character of addresses: Chinese has no spaces. */
const mention = /(?:^|[^\p{Script=Latin}\p{N}_.%+-])[@＠](\S{0,200})$/u;

const prompt = /^\/(\S{0,200})$/;

export function mentionAt(text: string, caret: number): MentionQuery | undefined {
  const name = prompt.exec(text.slice(0, caret))?.[1];
  if (name !== undefined) return { start: 0, query: name, isPrompt: true };
  const match = mention.exec(text.slice(Math.max(0, caret - 250), caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

export function withMention(
  text: string,
  { start, query, isPrompt = false }: MentionQuery,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, start)}${isPrompt ? '/' : '@'}${name}`;
  const after = text.slice(start + 1 + query.length);
  const gap = /^\s/.test(after) ? '' : ' ';
  return { text: before + gap + after, caret: before.length + 1 };
}
