/**
 * A server's own message made fit to show and to log: one line, no control or direction-changing characters,
 * of bounded length, and with every secret in use masked, since some servers repeat the key they refuse.
 */
export function theirWords(text: string, secrets: readonly string[] = [], maxCharacters = 400): string {
  let words = text.slice(0, maxCharacters * 8);
  for (const secret of secrets) {
    if (secret.length >= 4) words = words.replaceAll(secret, '***');
  }
  words = words
    // A key is long; shorter runs after `sk-` may be words of the message.
    .replace(/\b(sk|app|dataset)-[\w*.-]{6,}/g, '$1-***')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return words.length > maxCharacters ? `${words.slice(0, maxCharacters).trimEnd()}…` : words;
}
