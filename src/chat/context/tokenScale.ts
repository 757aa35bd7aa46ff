/** An estimate is at most this far from what a model's tokenizer counts; anything beyond is another kind of count. */
const lowest = 0.5;
const highest = 3;
/** A short prompt tells more about what the vendor adds to it than about the tokenizer. */
const fewTokens = 200;

/** For each model, by how much its own counts differ from our estimates. Learnt from what the relay reports. */
export class TokenScale {
  private readonly factors = new Map<string, number>();

  /** What an estimate is multiplied with. */
  factor(model: string): number {
    return this.factors.get(model) ?? 1;
  }

  /** A prompt of `estimated` tokens was `counted` as so many by the server. */
  observe(model: string, estimated: number, counted: number): void {
    if (estimated < fewTokens || !(counted > 0)) return;
    const seen = Math.min(highest, Math.max(lowest, counted / estimated));
    const known = this.factors.get(model) ?? 1;
    // An estimate that is too low costs a refusal, one that is too high only some room.
    const weight = seen > known ? 0.7 : 0.2;
    this.factors.set(model, known + weight * (seen - known));
  }
}
