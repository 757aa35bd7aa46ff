import * as l10n from '@vscode/l10n';

/** What a key opens: the relay, the knowledge bases, or one app. */
export type CheckedKeyKind = 'relay' | 'dataset' | 'app';

/** A usable key, with a doubt to ask about if there is one; or why it cannot be a key. */
export type KeyCheck = { key: string; question?: string } | { problem: string };

/**
 * Reads a pasted key. What certainly cannot be sent is refused with its reason; what is only unusual is
 * questioned, because relays and platforms may use other prefixes. No sentence repeats the key.
 */
export function checkKey(input: string, kind: CheckedKeyKind): KeyCheck {
  const key = trimPasted(input);
  const problem = problemOf(key);
  if (problem) return { problem };
  const question = questionOf(key, kind);
  return question ? { key, question } : { key };
}

/** Zero-width characters and a byte order mark ride along from web pages; `trim` leaves the former. */
const edges = /^[\s\u200B-\u200D\u2060\uFEFF]+|[\s\u200B-\u200D\u2060\uFEFF]+$/g;

/** Keys are often copied as part of a header, or in quotes out of a configuration file. */
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
  // One sentence for both: an input box turns a pasted line break into a space.
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
        : l10n.t('Relay keys usually begin with "sk-" and this one does not. Is it complete?');
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
        : l10n.t('App keys usually begin with "app-" and this one does not. Is it complete?');
  }
}
