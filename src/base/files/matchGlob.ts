import { type GlobNode, parseGlob } from './parseGlob.ts';

const longestGlob = 500;
const mostKept = 1000;
export type PathTest = (path: string) => boolean;

export function globProblem(glob: string): string | undefined {
  return glob.length > longestGlob ? `the glob is longer than ${longestGlob} characters` : undefined;
}

/** Linear time. Matches like VS Code, whatever the leading dots or normalization. Check others with `globProblem`. */
export function globTest(glob: string, { ignoreCase = false } = {}): PathTest {
  const fold = (text: string) => {
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

interface Place {
  fits?: (character: string) => boolean;
  next: number;
  free: number[];
}

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
      // States refer to each other, so all are dropped together.
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

  private withFree(places: readonly number[]): number[] {
    const seen = new Set(places);
    // Iterating a set includes entries added meanwhile.
    for (const index of seen) for (const free of this.places[index]?.free ?? []) seen.add(free);
    return [...seen].toSorted((a, b) => a - b);
  }

  private place(place: Partial<Place> = {}): number {
    return this.places.push({ next: -1, free: [], ...place }) - 1;
  }

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
