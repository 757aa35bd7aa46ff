import type { Call } from './call.ts';

interface Seen {
  name: string;
  result: string;
  rounds: number;
  lastRound: number;
  news: number;
}

/** The same call with the same result in this many rounds, with nothing new in between, is a loop. */
const tooOften = 3;

/** Detects loops. A result not seen before breaks a loop: the same check after an edit is no repetition. */
export class RepeatedCalls {
  private readonly seen = new Map<string, Seen[]>();
  private news = 0;

  add(round: number, call: Pick<Call, 'name' | 'input' | 'inputText'>, result: string): boolean {
    const key = call.inputText ?? JSON.stringify(call.input);
    const alike = this.seen.get(key) ?? [];
    if (alike.length === 0) this.seen.set(key, alike);
    const known = alike.find((seen) => seen.name === call.name && seen.result === result);
    if (!known) {
      this.news++;
      alike.push({ name: call.name, result, rounds: 1, lastRound: round, news: this.news });
      return false;
    }
    if (known.lastRound === round) return false;
    known.rounds = known.news === this.news ? known.rounds + 1 : 1;
    known.lastRound = round;
    known.news = this.news;
    return known.rounds >= tooOften;
  }
}
