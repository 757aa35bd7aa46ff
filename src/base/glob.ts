/** Longer ones cannot be read. */
const longestGlob = 500;
/** Of the states of the automaton that are kept; more are made again when they are needed. */
const mostKept = 1000;
/** `{1..9}` and `{a..f}` stand for at most so many. */
const widestRange = 100;

export type PathTest = (path: string) => boolean;

/** Says what keeps a glob from being read, or nothing. */
export function globProblem(glob: string): string | undefined {
  return glob.length > longestGlob ? `the glob is longer than ${longestGlob} characters` : undefined;
}

/**
 * A test for whole paths with `/` between their names, by a glob as the editor reads it: `*` and `?` stay within a
 * name, `**` as a name of its own stands for any number of them, `{a,b}` gives a choice, `[a-z]` and `[!a-z]` one
 * character, `\` takes the next as it is. Everything else, parentheses too, stands for itself; names that begin with
 * a dot are like others. How accents are encoded makes no difference.
 *
 * All readings of the glob are followed at once, character by character, so the time grows with the length of the
 * path and not with the number of ways to read it. Ask `globProblem` about a glob that is not our own first.
 */
export function globTest(glob: string, { ignoreCase = false } = {}): PathTest {
  const fold = (text: string) => {
    // Most paths are plain, and then there is nothing to compose.
    const composed = isAscii(text) ? text : text.normalize('NFC');
    return ignoreCase ? composed.toLowerCase() : composed;
  };
  const machine = new Automaton(parse(fold(glob)));
  return (path) => machine.accepts(fold(path));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

type Node =
  | { type: 'one'; fits: (character: string) => boolean }
  /** Any number of those that fit. */
  | { type: 'many'; fits: (character: string) => boolean }
  | { type: 'choice'; options: Node[][] };

const anything = () => true;
const inName = (character: string) => character !== '/';
const one = (wanted: string): Node => ({ type: 'one', fits: (character) => character === wanted });
const optional = (...nodes: Node[]): Node => ({ type: 'choice', options: [[], nodes] });

function parse(glob: string): Node[] {
  const characters = glob.replace(/(^|\/)\*\*(?:\/\*\*)+(?=\/|$)/g, '$1**').split('');
  const closing = matchingBraces(characters);
  let at = 0;

  /** A character that is not there is the glob's beginning or end, or that of an option. */
  const isEdge = (index: number) => {
    const character = characters[index];
    return character === undefined || character === '/' || character === ',' || '{}'.includes(character);
  };
  const isGlobstar = (index: number) =>
    characters[index] === '*' &&
    characters[index + 1] === '*' &&
    isEdge(index - 1) &&
    isEdge(index + 2) &&
    characters[index - 1] !== '}' &&
    characters[index + 2] !== '{';

  /** Up to `end`, or to a character that ends it before. */
  const sequence = (end: number, stop: string): Node[] => {
    const nodes: Node[] = [];
    while (at < end && characters[at] !== stop) {
      const character = characters[at] ?? '';
      if (character === '/' && isGlobstar(at + 1) && characters[at + 3] !== '/') {
        // `a/**` matches `a`.
        nodes.push(optional(one('/'), { type: 'many', fits: anything }));
        at += 3;
      } else if (isGlobstar(at)) {
        const isFollowed = characters[at + 2] === '/';
        const rest: Node = { type: 'many', fits: anything };
        nodes.push(isFollowed ? optional(rest, one('/')) : rest);
        at += isFollowed ? 3 : 2;
      } else if (character === '*') {
        while (characters[at] === '*' && at < end) at++;
        const isWholeName = isNameEdge(nodes) && (at >= characters.length || characters[at] === '/');
        nodes.push(...(isWholeName ? [{ type: 'one', fits: inName } as const] : []), {
          type: 'many',
          fits: inName,
        });
      } else if (character === '?') {
        nodes.push({ type: 'one', fits: inName });
        at++;
      } else if (character === '[') nodes.push(characterClass());
      else if (character === '{' && closing.has(at)) nodes.push(choice(closing.get(at) ?? end));
      else {
        if (character === '\\' && at + 1 < end) at++;
        nodes.push(one(characters[at] ?? ''));
        at++;
      }
    }
    return nodes;
  };

  /** A name is never empty, so `*` alone wants a character. */
  const isNameEdge = (nodes: Node[]) => nodes.length === 0 || characters[startOfStars(at) - 1] === '/';
  const startOfStars = (end: number) => {
    let start = end;
    while (characters[start - 1] === '*') start--;
    return start;
  };

  const choice = (end: number): Node => {
    const inside = characters.slice(at + 1, end).join('');
    const range = rangeOf(inside);
    at++;
    if (range) {
      at = end + 1;
      return { type: 'choice', options: range.map((text) => text.split('').map(one)) };
    }
    const options: Node[][] = [];
    for (;;) {
      options.push(sequence(end, ','));
      if (at >= end) break;
      at++;
    }
    at = end + 1;
    // Some read braces around a single thing as themselves.
    if (options.length === 1) options.push(`{${inside}}`.split('').map(one));
    return { type: 'choice', options };
  };

  const characterClass = (): Node => {
    let end = at + 1;
    const isNegated = characters[end] === '!' || characters[end] === '^';
    if (isNegated) end++;
    const first = end;
    while (end < characters.length && (characters[end] !== ']' || end === first)) {
      end += characters[end] === '\\' ? 2 : 1;
    }
    if (end >= characters.length) {
      at++;
      return one('[');
    }
    const ranges: [string, string][] = [];
    for (let index = first; index < end; index++) {
      if (characters[index] === '\\') index++;
      const from = characters[index] ?? '';
      const to = characters[index + 1] === '-' && index + 2 < end ? characters[index + 2] : undefined;
      if (to !== undefined) index += 2;
      ranges.push([from, to ?? from]);
    }
    at = end + 1;
    return {
      type: 'one',
      fits: (character) =>
        character !== '/' && ranges.some(([from, to]) => from <= character && character <= to) !== isNegated,
    };
  };

  return sequence(characters.length, '');
}

/** Where each brace that is closed is closed. */
function matchingBraces(characters: readonly string[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < characters.length; at++) {
    if (characters[at] === '\\') at++;
    else if (characters[at] === '{') open.push(at);
    else if (characters[at] === '}') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, at);
    }
  }
  return closing;
}

/** What `1..3` or `a..c` stands for. */
function rangeOf(text: string): string[] | undefined {
  const [, from = '', to = ''] = /^(\d{1,6}|[a-z])\.\.(\d{1,6}|[a-z])$/i.exec(text) ?? [];
  const isNumeric = /^\d/.test(from) && /^\d/.test(to);
  if (from === '' || isNumeric !== /\d/.test(from + to)) return undefined;
  const [first, last] = isNumeric ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.abs(last - first) + 1;
  if (count > widestRange) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -index : index);
    return isNumeric ? String(value) : String.fromCharCode(value);
  });
}

/** One place in the glob: which characters it matches, and where it goes with and without one. */
interface Place {
  fits?: (character: string) => boolean;
  next: number;
  free: number[];
}

/** All places a path may have come to, with where each further character leads, as far as it was asked. */
interface State {
  places: readonly number[];
  isEnd: boolean;
  next: Map<string, State>;
}

class Automaton {
  private readonly places: Place[] = [];
  private readonly end: number;
  private readonly start: readonly number[];
  private kept = new Map<string, State>();

  constructor(nodes: readonly Node[]) {
    this.end = this.place();
    this.start = this.withFree([this.build(nodes, this.end)]);
  }

  accepts(path: string): boolean {
    let state = this.stateOf(this.start);
    for (let at = 0; at < path.length; at++) {
      const character = path.charAt(at);
      let next = state.next.get(character);
      if (!next) {
        next = this.step(state, character);
        state.next.set(character, next);
      }
      if (next.places.length === 0) return false;
      state = next;
    }
    return state.isEnd;
  }

  private step({ places }: State, character: string): State {
    const taken: number[] = [];
    for (const index of places) {
      const place = this.places[index];
      if (place?.fits?.(character)) taken.push(place.next);
    }
    return this.stateOf(this.withFree(taken));
  }

  private stateOf(places: readonly number[]): State {
    const key = places.join();
    let state = this.kept.get(key);
    if (!state) {
      // What was kept goes as a whole: its states lead to each other.
      if (this.kept.size >= mostKept) this.forget();
      state = { places, isEnd: places.includes(this.end), next: new Map() };
      this.kept.set(key, state);
    }
    return state;
  }

  private forget(): void {
    for (const state of this.kept.values()) state.next.clear();
    this.kept = new Map();
  }

  /** The places themselves and those that are reached from them without taking anything, in order. */
  private withFree(places: readonly number[]): number[] {
    const seen = new Set(places);
    // A set also gives what is added while it is gone through.
    for (const index of seen) for (const free of this.places[index]?.free ?? []) seen.add(free);
    return [...seen].toSorted((a, b) => a - b);
  }

  private place(place: Partial<Place> = {}): number {
    return this.places.push({ next: -1, free: [], ...place }) - 1;
  }

  /** Builds from the end, so that each knows what comes after it. Gives the place to begin at. */
  private build(nodes: readonly Node[], after: number): number {
    return nodes.toReversed().reduce((next, node) => {
      switch (node.type) {
        case 'one':
          return this.place({ fits: node.fits, next });
        case 'many': {
          const place = this.place({ fits: node.fits, free: [next] });
          this.places[place]!.next = place;
          return place;
        }
        case 'choice':
          return this.place({ free: node.options.map((option) => this.build(option, next)) });
      }
    }, after);
  }
}
