import type { PolicyRun } from '../policy/policyRun.ts';
import type { GrantedFile } from '../policy/verdict.ts';
import type { WithheldCount } from '../files/withheldCount.ts';

export class ShownPlaces {
  private readonly verdicts = new Map<string, Promise<GrantedFile | undefined>>();

  constructor(
    private readonly run: PolicyRun,
    private readonly withheld: WithheldCount,
  ) {}

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
