import type { ModelOption, Models } from '../../shared/transcript.ts';

export interface ModelGroup {
  readonly kind: 'favourites' | 'recent' | 'vendor' | 'others' | 'apps' | 'matches' | 'notForChat';
  readonly name: string;
  readonly relay?: string | undefined;
  readonly options: readonly ModelOption[];
}

/** In shorter lists recent models are visible anyway. */
const fewOptions = 12;

/** Groups with `relay` hold models of that relay alone. Filtered groups have matches, best first; models not for chat come last, unless only they have that exact name. */
export function groupModels(models: Models, filter: string): ModelGroup[] {
  const groups = filter ? groupMatches(models, filter) : groupAll(models);
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
    if (option.app || option.kind) continue;
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
    ...ofRelays(
      'favourites',
      options.filter(({ id }) => favourites.has(id)),
    ),
    ...ofRelays(
      'recent',
      [...used].flatMap((id) => byId.get(id) ?? []),
    ),
    ...[...relays].flatMap(([relay, { vendors, others }]) => [
      ...[...vendors].map(([name, ofVendor]) => ({
        kind: 'vendor' as const,
        name,
        relay,
        options: ofVendor,
      })),
      { kind: 'others' as const, name: '', relay, options: others },
    ]),
    { kind: 'apps', name: '', options: rest.filter(({ app }) => app) },
    { kind: 'notForChat', name: '', options: rest.filter(({ kind }) => kind) },
  ];
}

function ofRelays(kind: ModelGroup['kind'], options: readonly ModelOption[]): ModelGroup[] {
  return [...new Set(options.map(({ relay }) => relay))].map((relay) => ({
    ...{ kind, name: '', relay },
    options: options.filter((option) => option.relay === relay),
  }));
}

function groupMatches(models: Models, filter: string): ModelGroup[] {
  const ranked = rankModels(models, filter);
  const ofKind = (wanted: ModelOption['kind']) => ranked.filter(({ option }) => option.kind === wanted);
  const toOptions = (found: typeof ranked) => found.map(({ option }) => option);
  const matches = ofRelays('matches', toOptions(ofKind(undefined)));
  const others: ModelGroup = { kind: 'notForChat', name: '', options: toOptions(ofKind('other')) };
  const isExact = (found: typeof ranked) => found[0]?.worst === ranks.exact;
  return isExact(ofKind('other')) && !isExact(ofKind(undefined))
    ? [others, ...matches]
    : [...matches, others];
}

const ranks = { exact: 0, start: 1, wordStart: 2, inside: 3, squeezed: 4, vendor: 5 };

/**
 * Options that match every word, best first, then favourites, then in listed order. Vendors, relays and kinds of apps
 * only count beside a word of the model's name, or if no name matches: "gpt" would find all that "gpt-proxy" serves.
 */
function rankModels(
  { options, favourites: favouriteIds }: Models,
  filter: string,
): { option: ModelOption; worst: number }[] {
  const favourites = new Set(favouriteIds);
  const wanted = filter.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const ranked = options
    .map((option) => ({ option, ...rankOf(option, wanted, words) }))
    .filter(({ worst }) => worst !== undefined);
  const byName = ranked.some(({ best }) => best < ranks.vendor);
  return ranked
    .filter(({ best }) => best < ranks.vendor || !byName)
    .map(({ option, worst = 0 }) => ({
      option,
      worst,
      key: worst * 2 + (favourites.has(option.id) ? 0 : 1),
    }))
    .toSorted((a, b) => a.key - b.key);
}

function rankOf(
  { id: wholeId, plainId: id = wholeId, name, vendor, app, relay }: ModelOption,
  wanted: string,
  words: readonly string[],
): { best: number; worst: number | undefined } {
  // Ids of apps mean nothing to users.
  const full = app ? [name] : [id, name];
  const own = app ? [name] : [withoutVendor(id, vendor), withoutVendor(name, vendor)];
  const texts = [...full, ...own].map((text) => text.toLowerCase());
  if (texts.includes(wanted)) return { best: ranks.exact, worst: ranks.exact };
  const found = words.map((word) => {
    const fields = (/[/:]/.test(word) ? [...full, ...own] : own).map((text) => text.toLowerCase());
    const bestOfFields = Math.min(...fields.map((field) => rankWord(field, word)));
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

/** Strips the vendor from "openai/gpt-5" and "OpenAI: GPT-5", which stand under its heading. */
export function withoutVendor(text: string, vendor: string | undefined): string {
  if (!vendor || !text.toLowerCase().startsWith(vendor.toLowerCase())) return text;
  const prefix = /^\s*[/:]\s*(?=\S)/.exec(text.slice(vendor.length))?.[0];
  return prefix === undefined ? text : text.slice(vendor.length + prefix.length);
}
