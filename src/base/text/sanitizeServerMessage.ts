import { maskSecrets } from '../secrets/maskSecrets.ts';

/** Makes a server's message safe to show and log: one line, no control characters, bounded, with secrets masked. */
export function sanitizeServerMessage(
  text: string,
  secrets: readonly string[] = [],
  maxCharacters = 400,
): string {
  // Before cutting, which would hide the rest of a secret.
  let words = maskSecrets(text.slice(0, maxCharacters * 8), secrets);
  words = words
    // Shorter runs after `sk-` may be words.
    .replace(/(?<=[\w-])\p{Default_Ignorable_Code_Point}+(?=[\w-])/gu, '')
    .replace(/\b(sk|app|dataset)-[\w*.-]{6,}/gi, '$1-***')
    // Sign-ins of the platform, and the codes that they are exchanged for.
    .replace(/\b(dfo[ae]|dc)_\w{6,}/gi, '$1_***')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return words.length > maxCharacters ? `${words.slice(0, maxCharacters).trimEnd()}…` : words;
}
