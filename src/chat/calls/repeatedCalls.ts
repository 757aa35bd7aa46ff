import type { Call } from './call.ts';

interface Seen {
  name: string;
  result: string;
  /** In how many rounds since there was something new. */
  rounds: number;
  lastRound: number;
  /** What was new when it was counted. */
  news: number;
}

/** A call repeated in this many rounds with the same result, and nothing new between, is going nowhere. */
const tooOften = 3;

/**
 * Notices a model that goes in circles. A call with a result not seen before is something new: after an edit the same
 * check with the same outcome is no repetition.
 */
export class RepeatedCalls {
  /** By their arguments as JSON; results are compared where they are, not copied into keys. */
  private readonly seen = new Map<string, Seen[]>();
  private news = 0;

  /** Whether this call and result make it a loop. */
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
