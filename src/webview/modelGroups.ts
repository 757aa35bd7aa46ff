import type { ModelOption, Models } from '../shared/transcript.ts';

export interface ModelGroup {
  /** A vendor's name; all but `vendor` are named by who shows them. */
  readonly kind: 'favourites' | 'recent' | 'vendor' | 'others' | 'apps' | 'matches';
  readonly name: string;
  /** What the relay of all of them is called, where several are connected. */
  readonly relay?: string | undefined;
  readonly options: readonly ModelOption[];
}

/** Where fewer are listed, those that were used last are in sight anyway. */
const fewOptions = 12;

/**
 * What there is to choose from. Without a filter: favourites, what was used last, then models by relay and vendor as
 * they were listed, those of no known vendor after the others of their relay, then apps. With one: what matches it, the
 * best first.
 */
export function groupModels(models: Models, filter: string): ModelGroup[] {
  const groups = filter
    ? [{ kind: 'matches' as const, name: '', options: rankModels(models, filter) }]
    : groupAll(models);
  return groups.filter(({ options }) => options.length > 0);
}

function groupAll({ options, favourites: favouriteIds, recent: recentIds }: Models): ModelGroup[] {
  const favourites = new Set(favouriteIds);
  const used = new Set(options.length > fewOptions ? recentIds.filter((id) => !favourites.has(id)) : []);
  const rest = options.filter(({ id }) => !favourites.has(id) && !used.has(id));
  const byId = new Map(options.map((option) => [option.id, option]));
  const relays = new Map<
    string | undefined,
    { vendors: Map<string, ModelOption[]>; others: ModelOption[] }
  >();
  for (const option of rest) {
    if (option.app) continue;
    const ofRelay = relays.get(option.relay) ?? { vendors: new Map<string, ModelOption[]>(), others: [] };
    relays.set(option.relay, ofRelay);
    if (!option.vendor) {
      ofRelay.others.push(option);
      continue;
    }
    const known = ofRelay.vendors.get(option.vendor);
    if (known) known.push(option);
    else ofRelay.vendors.set(option.vendor, [option]);
  }
  return [
    { kind: 'favourites', name: '', options: options.filter(({ id }) => favourites.has(id)) },
    { kind: 'recent', name: '', options: [...used].flatMap((id) => byId.get(id) ?? []) },
    ...[...relays].flatMap(([relay, { vendors, others }]) => [
      ...[...vendors].map(([name, ofVendor]) => ({
        ...{ kind: 'vendor' as const, name, relay, options: ofVendor },
      })),
      { kind: 'others' as const, name: '', relay, options: others },
    ]),
    { kind: 'apps', name: '', options: rest.filter(({ app }) => app) },
  ];
}

/** How well a word or a whole filter fits, from best to worst. */
const ranks = { exact: 0, start: 1, wordStart: 2, inside: 3, squeezed: 4, vendor: 5 };

/**
 * Those that match every word of the filter, the best first; of equal ones favourites first, then as they were listed.
 * A vendor's or a relay's name, or an app's kind, counts only with a word of the model's own, or where no model has such a name:
 * else "gpt" would find everything that "gpt-proxy" serves.
 */
function rankModels({ options, favourites: favouriteIds }: Models, filter: string): ModelOption[] {
  const favourites = new Set(favouriteIds);
  const wanted = filter.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const ranked = options
    .map((option) => ({ option, ...rankOf(option, wanted, words) }))
    .filter(({ worst }) => worst !== undefined);
  const byName = ranked.some(({ best }) => best < ranks.vendor);
  return ranked
    .filter(({ best }) => best < ranks.vendor || !byName)
    .map(({ option, worst = 0 }) => ({ option, key: worst * 2 + (favourites.has(option.id) ? 0 : 1) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ option }) => option);
}

function rankOf(
  { id: wholeId, plainId: id = wholeId, name, vendor, app, relay }: ModelOption,
  wanted: string,
  words: readonly string[],
): { best: number; worst: number | undefined } {
  // An app's id says nothing to the user.
  const full = app ? [name] : [id, name];
  const own = app ? [name] : [withoutVendor(id, vendor), withoutVendor(name, vendor)];
  const texts = [...full, ...own].map((text) => text.toLowerCase());
  if (texts.includes(wanted)) return { best: ranks.exact, worst: ranks.exact };
  const found = words.map((word) => {
    // With a slash or a colon the user writes the vendor's prefix out.
    const fields = (/[/:]/.test(word) ? [...full, ...own] : own).map((text) => text.toLowerCase());
    const bestOfFields = Math.min(...fields.map((field) => rankWord(field, word)));
    // "chat app" is a kind of two words.
    const group = (app ?? vendor ?? '').toLowerCase();
    const parts = [group, ...group.split(' '), ...(relay ?? '').toLowerCase().split(' ')];
    const isOfVendor = parts.some((part) => part.startsWith(word));
    return bestOfFields < Infinity ? bestOfFields : isOfVendor ? ranks.vendor : Infinity;
  });
  const worst = Math.max(...found);
  return { best: Math.min(...found), worst: worst < Infinity ? worst : undefined };
}

function rankWord(field: string, word: string): number {
  const at = field.indexOf(word);
  if (at === 0) return ranks.start;
  if (at > 0) return startsAPart(field, word) ? ranks.wordStart : ranks.inside;
  // "gpt4o" means "gpt-4o".
  const squeezed = squeeze(word);
  return squeezed && squeeze(field).includes(squeezed) ? ranks.squeezed : Infinity;
}

function startsAPart(field: string, word: string): boolean {
  for (let at = field.indexOf(word); at >= 0; at = field.indexOf(word, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(field.charAt(at - 1))) return true;
  }
  return false;
}

function squeeze(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '');
}

/** "openai/gpt-5" and "OpenAI: GPT-5" without what stands under the vendor's heading anyway. */
export function withoutVendor(text: string, vendor: string | undefined): string {
  if (!vendor || !text.toLowerCase().startsWith(vendor.toLowerCase())) return text;
  const prefix = /^\s*[/:]\s*(?=\S)/.exec(text.slice(vendor.length))?.[0];
  return prefix === undefined ? text : text.slice(vendor.length + prefix.length);
}
