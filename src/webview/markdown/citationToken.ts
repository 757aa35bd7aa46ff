import type { Links, Tokens } from 'marked';

/** `[1]`, `[1, 2]`; what is followed by an address is a link. */
const pattern = /^\[\d{1,5}(?:[ \u3000]*[,，、][ \u3000]*\d{1,5})*\](?!\()/;

/** Reads a citation where the text goes on with one; `links` are the addresses given elsewhere in it. */
export function readCitation(source: string, links: Links): Tokens.Generic | undefined {
  const raw = pattern.exec(source)?.[0];
  return raw === undefined || isReference(raw, links) ? undefined : { type: 'citation', raw };
}

/** A number may also name an address that is given elsewhere in the text, and then it is a link like any other. */
function isReference(raw: string, links: Links): boolean {
  return /^https?:/i.test(links[raw.slice(1, -1)]?.href ?? '');
}
