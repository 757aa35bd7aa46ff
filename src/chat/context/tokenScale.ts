/** Bounds of the ratio; values beyond are a different kind of count. */
const lowest = 0.5;
const highest = 3;
/** Short prompts mostly reflect the vendor's framing. */
const fewTokens = 200;

/** Ratio of each model's reported token counts to our estimates. */
export class TokenScale {
  private readonly factors = new Map<string, number>();

  factor(model: string): number {
    return this.factors.get(model) ?? 1;
  }

  observe(model: string, estimated: number, counted: number): void {
    if (estimated < fewTokens || !(counted > 0)) return;
    const seen = Math.min(highest, Math.max(lowest, counted / estimated));
    const known = this.factors.get(model) ?? 1;
    // Low estimates cost a refusal, high ones only some room.
    const weight = seen > known ? 0.7 : 0.2;
    this.factors.set(model, known + weight * (seen - known));
  }
}
