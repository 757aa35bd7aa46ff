import * as l10n from '@vscode/l10n';
import { formatNumber } from '../../base/text/format.ts';
import {
  type GrantedFile,
  isWithheld,
  type Refusal,
  type RefusalReason,
  type Verdict,
} from '../policy/verdict.ts';
import type { Withheld } from '../tool.ts';
import type { PolicyRun } from '../policy/policyRun.ts';

export class WithheldCount {
  private readonly counts = new Map<RefusalReason, number>();

  add(reason: RefusalReason, count = 1): void {
    if (count > 0 && isWithheld(reason)) this.counts.set(reason, (this.counts.get(reason) ?? 0) + count);
  }

  admits<V extends Verdict>(verdict: V): verdict is Exclude<V, Refusal> {
    if (!verdict.isAllowed) this.add(verdict.reason);
    return verdict.isAllowed;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  note(what: string): string[] {
    if (this.total === 0) return [];
    const reasons = [...this.counts].map(([reason, count]) => `${count} ${modelWords[reason] ?? reason}`);
    return [`[The file policy withheld ${what}: ${reasons.join(', ')}. They cannot be used.]`];
  }

  /** Every listing of a repository leaves out `.git`; only the result's details say so. */
  list(): Withheld[] {
    return [...this.counts]
      .filter(([reason]) => reason !== 'repository')
      .map(([reason, count]) => ({ reason, count, forUser: userMessage(reason, count) }));
  }
}

const modelWords: Partial<Record<RefusalReason, string>> = {
  outside: 'outside the workspace',
  system: 'of the operating system',
  'whole-system': 'of a whole file system',
  linked: 'hard links to files that cannot be used',
  environment: 'environment files',
  key: 'key or certificate files',
  credentials: 'credentials files or stores',
  repository: 'inside of a repository',
  ignored: 'excluded by .gitignore or .switchboardignore',
  excluded: "excluded by the user's settings",
  untrusted: 'in an untrusted workspace',
};

function userMessage(reason: RefusalReason, count: number): string {
  switch (reason) {
    case 'outside':
      return l10n.t('Blocked, outside the workspace: {0}', formatNumber(count));
    case 'linked':
      return l10n.t('Blocked, hard links: {0}', formatNumber(count));
    case 'environment':
      return l10n.t('Blocked, environment files: {0}', formatNumber(count));
    case 'key':
      return l10n.t('Blocked, key or certificate files: {0}', formatNumber(count));
    case 'credentials':
      return l10n.t('Blocked, credentials: {0}', formatNumber(count));
    case 'ignored':
      return l10n.t('Blocked, excluded by ignore files: {0}', formatNumber(count));
    case 'excluded':
      return l10n.t('Blocked, excluded by your settings: {0}', formatNumber(count));
    case 'untrusted':
      return l10n.t('Blocked, the workspace is not trusted: {0}', formatNumber(count));
    default:
      return l10n.t('Blocked: {0}', formatNumber(count));
  }
}

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
