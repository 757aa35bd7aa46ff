/** The first words of the first message, like the platform. */
export function conversationName(query: string): string {
  const words = query.trim().split(/\s+/).slice(0, 6).join(' ');
  return words.length > 60 ? `${words.slice(0, 57)}…` : words;
}
