import * as l10n from '@vscode/l10n';
import { oneLine } from '../base/text/oneLine.ts';

const bareId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Page of a knowledge base in the console: `/datasets/{id}/documents` and its like; page and endpoint of one for agents. */
const pagePath =
  /\/(?:datasets(?:\/new)?|knowledge-fs\/spaces)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[/?#]|$)/i;
const longest = 20_000;

/** Only an address's id counts: the console may be at another host than the API, and the key goes to none. */
export function readBaseIds(text: string): { ids: string[] } | { problem: string } {
  const ids = new Set<string>();
  for (const word of text.slice(0, longest).split(/[\s,;]+/)) {
    if (word === '') continue;
    const id = bareId.exec(word)?.[0] ?? pagePath.exec(word)?.[1];
    if (id === undefined) {
      return {
        problem: l10n.t(
          '"{0}" is neither the ID of a knowledge base nor the address of its page in the console.',
          oneLine(word, 60),
        ),
      };
    }
    ids.add(id.toLowerCase());
  }
  return { ids: [...ids] };
}
