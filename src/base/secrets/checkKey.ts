import * as l10n from '@vscode/l10n';

export type CheckedKeyKind = 'relay' | 'dataset' | 'app';

export type KeyCheck = { key: string; question?: string } | { problem: string };

/** In characters; the longest keys, signed tokens, have about 2,000. */
const longestKey = 8000;

/** Rejects keys that can't be valid and questions unusual ones, because prefixes vary. No message repeats the key. */
export function checkKey(input: string, kind: CheckedKeyKind): KeyCheck {
  if (input.length > longestKey) return { problem: l10n.t('The key is too long.') };
  const key = trimPasted(input);
  const problem = problemOf(key);
  if (problem) return { problem };
  const question = questionOf(key, kind);
  return question ? { key, question } : { key };
}

/** Zero-width characters and byte order marks copied from web pages; `trim` keeps the former. */
const edges = /^[\s\u200B-\u200D\u2060\uFEFF]+|[\s\u200B-\u200D\u2060\uFEFF]+$/g;

function trimPasted(input: string): string {
  return input
    .replace(edges, '')
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .replace(edges, '');
}

function problemOf(key: string): string | undefined {
  if (!key || /^(bearer|authorization:?)$/i.test(key)) {
    return l10n.t('Enter an API key.');
  }
  // One message for both: an input box turns a pasted line break into a space.
  if (/\s/.test(key)) {
    return l10n.t('The key contains spaces or line breaks. Copy only the key.');
  }
  if (/^https?:\/\//i.test(key)) {
    return l10n.t('This is an address, not a key.');
  }
  if (/[^\x21-\x7E]/.test(key)) {
    return l10n.t('The key contains an invalid character. Copy it again from your provider.');
  }
  if (/\*{3}|\.{3}/.test(key)) {
    return l10n.t('This is a masked key. Use the copy button of the page that shows it.');
  }
  return undefined;
}

function questionOf(key: string, kind: CheckedKeyKind): string | undefined {
  switch (kind) {
    case 'relay':
      return key.startsWith('sk-')
        ? undefined
        : l10n.t('Relay keys usually start with "sk-", but this one doesn\'t. Is it complete?');
    case 'dataset':
      return /^(app|sk)-/.test(key)
        ? l10n.t(
            "This doesn't look like a knowledge base key (dataset-…). Knowledge bases have their own key.",
          )
        : undefined;
    case 'app':
      if (/^(dataset|sk)-/.test(key)) {
        return l10n.t("This doesn't look like an app key (app-…). Every app has its own key.");
      }
      return key.startsWith('app-')
        ? undefined
        : l10n.t('App keys usually start with "app-", but this one doesn\'t. Is it complete?');
  }
}
