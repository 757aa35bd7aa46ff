import type { StateInline } from 'markdown-it';

/** `[1]`, `[1, 2]`; what is followed by an address is a link. */
const pattern = /\[\d{1,5}(?:[ \u3000]*[,，、][ \u3000]*\d{1,5})*\](?!\()/y;

/** Reads a citation where the text goes on with one, except in a link. */
export function readCitation(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0) return false;
  pattern.lastIndex = state.pos;
  const raw = pattern.exec(state.src)?.[0];
  if (raw === undefined || state.pos + raw.length > state.posMax || isReference(raw, state)) return false;
  state.push('citation', '', 0).content = raw;
  state.pos += raw.length;
  return true;
}

/** A number may also name an address that is given elsewhere in the text, and then it is a link like any other. */
function isReference(raw: string, { env, md }: StateInline): boolean {
  const name = md.utils.normalizeReference(raw.slice(1, -1));
  return /^https?:/i.test(env.references?.[name]?.href ?? '');
}
