import * as l10n from '@vscode/l10n';
import { createTurns } from '../../base/async/promises.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { messageOf, type SwitchboardError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Dataset } from '../../platform/records.ts';
import type { FolderLink, FolderLinks } from '../files/folderLinks.ts';
import type { LocalFiles } from '../files/localFiles.ts';
import { lacksEmbedding } from '../view/describeBase.ts';
import { failureScope } from '../upload/uploadPauses.ts';
import { toUploadError } from '../upload/sendDocument.ts';
import type { UploadPlan } from '../upload/uploadPlan.ts';
import type { UploadReport } from '../upload/uploadResults.ts';
import type { Uploads } from '../upload/uploads.ts';
import { type SortedPlan, sortPlan, type Waiting } from './sortPlan.ts';
import {
  type Changed,
  firstState,
  type LookResult,
  mostPaths,
  nextState,
  type Pause,
  type SyncEvent,
  type SyncState,
  timerOf,
} from './syncState.ts';
import { areAsConfirmed, type AutoSync, type SyncLimits } from './syncTerms.ts';

/** The repository of a folder, asked each time. Paths are absolute. */
export interface FolderRepository {
  head(signal: AbortSignal): Promise<RepositoryHead | undefined>;
  changedBetween(from: string, to: string, signal: AbortSignal): Promise<readonly string[] | undefined>;
  uncommitted(of: readonly string[] | undefined, signal: AbortSignal): Promise<Uncommitted>;
}

export interface Uncommitted {
  /** Real paths. */
  changed: ReadonlySet<string>;
  deleted: readonly string[];
}

export interface RepositoryHead {
  commit?: string;
  /** Undefined for a detached HEAD. */
  branch?: string;
  isMerging: boolean;
}

export interface SyncedFolderDependencies {
  links: FolderLinks;
  uploads: Pick<Uploads, 'plan' | 'planChanges' | 'runAutomatic' | 'isBusy'>;
  files: Pick<LocalFiles, 'shownPath'>;
  repository: FolderRepository;
  limits(): SyncLimits;
  prepare(plan: UploadPlan): UploadPlan;
  clock: Clock;
  /** Undefined while another window is at it. */
  lock(): { release(): Promise<void> } | undefined;
  log: Log;
}

/** Another ignore file changes what may go of files that haven't changed. */
const ignoreFile = /(^|\/)\.(gitignore|switchboardignore)$/;

export class SyncedFolder implements Disposable {
  private current: SyncState;
  private timer: Disposable | undefined;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly ending = new AbortController();
  private working: AbortController | undefined;
  private hasStarted = false;
  private readonly inTurn = createTurns();
  private readonly refused = new Map<string, { hash: string; message: string }>();

  constructor(
    private readonly deps: SyncedFolderDependencies,
    private link: FolderLink & { auto: AutoSync },
  ) {
    this.current = firstState(link.auto.isPaused === true);
  }

  get state(): SyncState {
    return this.current;
  }

  get of(): FolderLink & { auto: AutoSync } {
    return this.link;
  }

  /** Begins by checking the whole folder, so that nothing it was told before counts. */
  start(): void {
    this.hasStarted = true;
    this.follow();
  }

  tell(event: Exclude<SyncEvent, { type: 'timeIsUp' | 'began' | 'ended' | 'pause' | 'resume' }>): void {
    this.apply(event);
  }

  async pause(): Promise<void> {
    this.apply({ type: 'pause' });
    this.working?.abort();
    await this.store({ isPaused: true });
  }

  async resume(): Promise<void> {
    await this.store({ isPaused: false });
    this.refused.clear();
    this.apply({ type: 'resume' });
  }

  dispose(): void {
    this.ending.abort();
    this.timer?.dispose();
    this.timer = undefined;
  }

  private apply(event: SyncEvent): void {
    if (!this.hasStarted || this.ending.signal.aborted) return;
    const { clock } = this.deps;
    this.current = nextState(this.current, event, this.link.auto.terms.when, clock.now());
    this.follow();
    this.changes.fire();
  }

  private follow(): void {
    const { clock } = this.deps;
    this.timer?.dispose();
    const ms = timerOf(this.current, clock.now());
    this.timer = ms === undefined ? undefined : clock.after(ms, () => this.apply({ type: 'timeIsUp' }));
    if (this.current.activity !== 'due') return;
    const changed = this.changed();
    this.apply({ type: 'began' });
    void this.look(changed).then((result) => this.apply({ type: 'ended', result }));
  }

  private changed(): Changed {
    const { changed } = this.current;
    return changed !== 'all' && [...changed].some((path) => ignoreFile.test(path)) ? 'all' : changed;
  }

  /** Never rejects. */
  private async look(changed: Changed): Promise<LookResult> {
    this.working = new AbortController();
    const signal = AbortSignal.any([this.working.signal, this.ending.signal]);
    let lock: ReturnType<typeof this.deps.lock>;
    try {
      lock = this.deps.lock();
      return lock ? await this.lookLocked(changed, signal) : { type: 'again' };
    } catch (error) {
      if (signal.aborted) return { type: 'again' };
      this.deps.log.warn(`${this.link.path} could not be looked at: ${messageOf(error)}`);
      return { type: 'paused', pause: pauseOf(toUploadError(error)) };
    } finally {
      this.working = undefined;
      // A lock that stays counts as abandoned after a while.
      await lock?.release().catch((error: unknown) => this.deps.log.warn(messageOf(error)));
    }
  }

  private async lookLocked(changed: Changed, signal: AbortSignal): Promise<LookResult> {
    const { uploads, repository, limits } = this.deps;
    const isPaused = await this.readLink();
    if (isPaused) return { type: 'paused', pause: { reason: 'user' } };
    const { datasetId, auto } = this.link;
    const { terms } = auto;
    if (!areAsConfirmed(terms, limits())) return { type: 'paused', pause: { reason: 'settings' } };
    const head = await repository.head(signal);
    const objection = this.objectionTo(head);
    if (objection) return { type: 'paused', pause: objection };
    if (await uploads.isBusy(datasetId)) return { type: 'again' };

    const paths = await this.pathsToLookAt(changed, head, signal);
    if (paths?.length === 0) return this.done([], head?.commit);
    const plan = await this.plan(paths, signal);
    if (lacksEmbedding(plan.dataset)) return { type: 'paused', pause: lacksModel(plan.dataset) };
    const { changed: edited, deleted } =
      terms.when === 'commit' ? await repository.uncommitted(paths, signal) : committed;
    const sorted = sortPlan(plan, {
      terms,
      isUncommitted: (realPath) => edited.has(realPath),
      deleted: deleted.filter(isBelow(paths)).map((path) => this.deps.files.shownPath(path)),
      refusedBefore: (name, hash) => {
        const before = this.refused.get(name);
        return before?.hash === hash ? before.message : undefined;
      },
    });
    const { over } = sorted;
    if (over) return { type: 'paused', pause: { reason: 'limit', ...over }, waiting: sorted.waiting };
    // The files may already have been another branch's.
    if (!isSame(head, await repository.head(signal))) return { type: 'again' };
    return this.send(plan, sorted, head?.commit, signal);
  }

  private objectionTo(head: RepositoryHead | undefined): Pause | undefined {
    const { branch } = this.link.auto.terms;
    if (branch !== undefined && !head) return { reason: 'git' };
    if (head?.isMerging) return { reason: 'merge' };
    return head?.branch === branch ? undefined : { reason: 'branch', branch: head?.branch };
  }

  private async pathsToLookAt(
    changed: Changed,
    head: RepositoryHead | undefined,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    if (changed === 'all') return undefined;
    const { terms, commit } = this.link.auto;
    const paths = new Set([...changed, ...this.waitingPaths()]);
    if (terms.when === 'commit') {
      if (commit === undefined || head?.commit === undefined) return undefined;
      const between = await this.deps.repository.changedBetween(commit, head.commit, signal);
      if (!between || between.some((path) => ignoreFile.test(path))) return undefined;
      for (const path of between) paths.add(path);
    }
    // Checking the whole folder is simpler then.
    return paths.size > mostPaths ? undefined : [...paths];
  }

  /** Checked again each time: a waiting file may be back in its old state. */
  private waitingPaths(): string[] {
    const { path: folder } = this.link;
    const shown = this.deps.files.shownPath(folder);
    return this.current.waiting.map(({ path }) => {
      const relative = shown === '' ? path : path.slice(shown.length + 1);
      return relative === '' ? folder : `${folder}/${relative}`;
    });
  }

  private async plan(paths: readonly string[] | undefined, signal: AbortSignal): Promise<UploadPlan> {
    const { datasetId, path } = this.link;
    const { uploads, prepare } = this.deps;
    const plan = paths
      ? await uploads.planChanges({ datasetId, folder: path, paths }, signal)
      : await uploads.plan({ datasetId, targets: [{ type: 'path', path }], isSync: true }, signal);
    return prepare(plan);
  }

  private async send(
    plan: UploadPlan,
    { send, waiting }: SortedPlan,
    commit: string | undefined,
    signal: AbortSignal,
  ): Promise<LookResult> {
    if (send.length > 0) {
      const report = await this.deps.uploads.runAutomatic(plan, send, signal);
      if (signal.aborted) return { type: 'again' };
      const [stop] = report.failed.filter(({ error }) => failureScope(error) !== 'document');
      if (stop) return { type: 'paused', pause: pauseOf(stop.error), waiting: [...waiting] };
      if (report.failed.some(({ error }) => error.code === 'conflict')) return { type: 'again' };
      waiting = [...waiting, ...this.rememberRefused(plan, report)];
    }
    return this.done(waiting, commit);
  }

  private async done(waiting: readonly Waiting[], commit: string | undefined): Promise<LookResult> {
    if (commit !== this.link.auto.commit) await this.store({ commit });
    return { type: 'done', waiting, commit };
  }

  /** Another window may have paused or ended it, or confirmed other terms. */
  private async readLink(): Promise<boolean> {
    const stored = await this.deps.links.find(this.link);
    if (!stored?.auto) return true;
    this.link = { ...stored, auto: stored.auto };
    return stored.auto.isPaused === true;
  }

  private rememberRefused({ documents }: UploadPlan, { failed }: UploadReport): Waiting[] {
    return failed.flatMap(({ name, error: { message } }) => {
      const document = documents.find((each) => each.name === name);
      if (!document) return [];
      this.refused.set(name, { hash: document.source.hash, message });
      return [{ path: document.origin.path, reason: 'failed' as const, message }];
    });
  }

  /** One change after the other: a commit that is stored beside a pause would lose it. */
  private store(change: Partial<AutoSync>): Promise<void> {
    return this.inTurn(async () => {
      const { links } = this.deps;
      const stored = await links.find(this.link);
      // Another window has ended it.
      if (!stored?.auto) return;
      this.link = { ...stored, auto: { ...stored.auto, ...change } };
      await links.add(this.link);
    });
  }
}

const committed: Uncommitted = { changed: new Set(), deleted: [] };

function isBelow(paths: readonly string[] | undefined): (path: string) => boolean {
  if (!paths) return () => true;
  return (path) => paths.some((each) => path === each || path.startsWith(`${each}/`));
}

function lacksModel({ name }: Dataset): Pause {
  return { reason: 'refused', message: l10n.t('The embedding model of "{0}" isn\'t available.', name) };
}

function isSame(one: RepositoryHead | undefined, other: RepositoryHead | undefined): boolean {
  return one?.commit === other?.commit && one?.branch === other?.branch && !other?.isMerging;
}

/** The server's limits and outages pass; anything else is for the user. */
function pauseOf(error: SwitchboardError): Pause {
  const { message } = error;
  const scope = failureScope(error);
  const isPassing = scope === 'limit' || scope === 'offline' || scope === 'connection';
  return { reason: isPassing ? 'platform' : 'refused', message };
}
