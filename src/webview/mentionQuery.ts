/** A mention being typed: where its @ stands, and what follows it up to the caret. */
export interface MentionQuery {
  readonly start: number;
  readonly query: string;
  /** It is the name of a prompt file after a slash. */
  readonly isPrompt?: boolean;
}

/**
 * The mention that ends at the caret, if any. An @ after a letter of the Latin script, a digit or one of the signs of
 * an address belongs to an e-mail address; after anything else, Chinese included, which has no spaces, it is meant.
 */
const mention = /(?:^|[^\p{Script=Latin}\p{N}_.%+-])[@＠](\S{0,200})$/u;

/** A message that is nothing but a name after a slash so far. */
const prompt = /^\/(\S{0,200})$/;

export function mentionAt(text: string, caret: number): MentionQuery | undefined {
  const name = prompt.exec(text.slice(0, caret))?.[1];
  if (name !== undefined) return { start: 0, query: name, isPrompt: true };
  const match = mention.exec(text.slice(Math.max(0, caret - 250), caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

/** The text with the mention's name in the place of what was typed, and where the caret goes. */
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
