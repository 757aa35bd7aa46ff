import { maskSecrets } from './maskSecrets.ts';

/**
 * A server's own message made fit to show and to log: one line, no control or direction-changing characters,
 * of bounded length, and with every secret in use masked, since some servers repeat the key they refuse.
 */
export function sanitizeServerMessage(
  text: string,
  secrets: readonly string[] = [],
  maxCharacters = 400,
): string {
  // Before anything is cut, or the rest of a secret would not be known for one.
  let words = maskSecrets(text.slice(0, maxCharacters * 8), secrets);
  words = words
    // A key is long; shorter runs after `sk-` may be words of the message.
    .replace(/(?<=[\w-])\p{Default_Ignorable_Code_Point}+(?=[\w-])/gu, '')
    .replace(/\b(sk|app|dataset)-[\w*.-]{6,}/gi, '$1-***')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return words.length > maxCharacters ? `${words.slice(0, maxCharacters).trimEnd()}…` : words;
}
