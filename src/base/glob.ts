import { type GlobNode, parseGlob } from './parseGlob.ts';

/** Longer ones cannot be read. */
const longestGlob = 500;
/** Of the states of the automaton that are kept; more are made again when they are needed. */
const mostKept = 1000;
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
  const machine = new Automaton(parseGlob(fold(glob)));
  return (path) => machine.accepts(fold(path));
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
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

  constructor(nodes: readonly GlobNode[]) {
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
  private build(nodes: readonly GlobNode[], after: number): number {
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
