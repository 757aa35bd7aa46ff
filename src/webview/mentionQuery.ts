/** A mention being typed: where its @ stands, and what follows it up to the caret. */
export interface MentionQuery {
  readonly start: number;
  readonly query: string;
}

/**
 * The mention that ends at the caret, if any. An @ after a letter of the Latin script, a digit or one of the signs of
 * an address belongs to an e-mail address; after anything else, Chinese included, which has no spaces, it is meant.
 */
const mention = /(?:^|[^\p{Script=Latin}\p{N}_.%+-])[@＠](\S{0,200})$/u;

export function mentionAt(text: string, caret: number): MentionQuery | undefined {
  const match = mention.exec(text.slice(Math.max(0, caret - 250), caret));
  const query = match?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, query };
}

/** The text with the mention's name in the place of what was typed, and where the caret goes. */
export function withMention(
  text: string,
  { start, query }: MentionQuery,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, start)}@${name}`;
  const after = text.slice(start + 1 + query.length);
  const gap = /^\s/.test(after) ? '' : ' ';
  return { text: before + gap + after, caret: before.length + 1 };
}
