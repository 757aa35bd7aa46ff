import type { PolicyRun } from './policy/policyRun.ts';
import type { GrantedFile } from './policy/verdict.ts';
import type { WithheldCount } from './withheldCount.ts';

/** Judges paths that the editor named, each once, and counts what is blocked. */
export class ShownPlaces {
  private readonly verdicts = new Map<string, Promise<GrantedFile | undefined>>();

  constructor(
    private readonly run: PolicyRun,
    private readonly withheld: WithheldCount,
  ) {}

  /** The file, or undefined if it is withheld. */
  of(path: string): Promise<GrantedFile | undefined> {
    let verdict = this.verdicts.get(path);
    if (!verdict) {
      verdict = this.run
        .check(path, 'read')
        .then((judged) => (this.withheld.admits(judged) ? judged : undefined));
      this.verdicts.set(path, verdict);
    }
    return verdict;
  }
}
