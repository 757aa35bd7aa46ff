/** A message as its first sentence and the rest, which may be empty. */
export function splitFirstSentence(message: string): { first: string; rest: string } {
  // Points inside of numbers and addresses are followed by no space; Chinese needs none.
  const end = /[.!?](?=\s)|[。！？]/.exec(message);
  if (!end) return { first: message.trim(), rest: '' };
  const at = end.index + end[0].length;
  return { first: message.slice(0, at).trim(), rest: message.slice(at).trim() };
}
