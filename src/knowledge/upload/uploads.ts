import * as l10n from '@vscode/l10n';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import type { DocumentList } from '../documentList.ts';
import { indexingSettings, type KnowledgeOptions } from '../indexing/indexingSettings.ts';
import { interruptedRun, type InterruptedRun, itemsLeft, runRecord } from './interruptedRuns.ts';
import type { LocalFiles } from '../files/localFiles.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { PendingUpload } from '../manifest/manifestRecords.ts';
import type { Manifests } from '../manifest/manifests.ts';
import { type ChangesRequest, planChanges } from './planChanges.ts';
import type { PlannedRemoval } from './plannedRemovals.ts';
import { toUploadError } from './sendDocument.ts';
import {
  type AddRequest,
  planRetry,
  planUpload,
  readPlatform,
  type RunProgress,
  type UploadDependencies,
  UploadRun,
} from './uploadPipeline.ts';
import type { UploadItem, UploadPlan, UploadWork } from './uploadPlan.ts';
import { type UploadOutcome, type UploadReport, UploadResults } from './uploadResults.ts';

export interface Processes {
  own: string;
  isRunning(process: string): boolean;
}

export interface Confirmed {
  send: readonly string[];
  remove: readonly string[];
}

export interface RetryPlans {
  plans: readonly UploadPlan[];
  problems: readonly { datasetName: string; error: SwitchboardError }[];
}

export interface UploadsDependencies {
  client: PlatformClient;
  files: LocalFiles;
  options(): KnowledgeOptions;
  newId(): string;
  processes: Processes;
  log: Log;
  manifests: Manifests;
  clock: Clock;
  list(datasetId: string): DocumentList;
  closing: AbortSignal;
  onSent(): void;
  onEnded(datasetId: string, isAutomatic: boolean): void;
}

/** A large file on a slow connection takes long. */
const longestSilenceMs = 60 * 60_000;

type OnProgress = ((progress: RunProgress) => void) | undefined;

interface Failures {
  datasetName: string;
  items: Map<string, UploadItem>;
  removals: Map<string, PlannedRemoval>;
}

export class Uploads {
  private readonly ownRuns = new Set<string>();
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly failures = new Map<string, Failures>();

  constructor(private readonly deps: UploadsDependencies) {}

  async planChanges(request: ChangesRequest, signal: AbortSignal): Promise<UploadPlan> {
    try {
      return await planChanges(await this.freshParts(request.datasetId), request, signal);
    } catch (error) {
      throw toUploadError(error);
    }
  }

  async plan(
    request: AddRequest,
    signal: AbortSignal,
    onProgress?: (looked: number) => void,
  ): Promise<UploadPlan> {
    try {
      let looked = 0;
      return await planUpload(await this.freshParts(request.datasetId), request, signal, () =>
        onProgress?.(++looked),
      );
    } catch (error) {
      throw toUploadError(error);
    }
  }

  /** Executes a confirmed plan. A failure doesn't stop the rest; canceling keeps what was sent. Never throws. */
  run(
    plan: UploadPlan,
    confirmed: Confirmed,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<UploadReport> {
    return this.begin(plan, confirmed, signal, onProgress);
  }

  /** Executes what was confirmed for a folder in advance: sends exactly what was planned, and deletes nothing. */
  runAutomatic(plan: UploadPlan, send: readonly string[], signal: AbortSignal): Promise<UploadReport> {
    return this.begin(plan, { send, remove: [] }, signal, undefined, true);
  }

  private begin(
    { dataset, settings, documents, removals }: UploadPlan,
    confirmed: Confirmed,
    signal: AbortSignal,
    onProgress: OnProgress,
    isAutomatic = false,
  ): Promise<UploadReport> {
    const send = new Set(confirmed.send);
    const remove = new Set(confirmed.remove);
    const work: UploadWork = {
      id: this.deps.newId(),
      dataset,
      settings,
      items: documents.filter(({ id }) => send.has(id)),
      removals: removals.filter(({ documentId }) => remove.has(documentId)),
      ...(isAutomatic && { isAutomatic }),
    };
    this.ownRuns.add(work.id);
    this.deps.list(dataset.id).toSend(work.items);
    return this.runNext(work, true, signal, onProgress);
  }

  get hasFailed(): boolean {
    return this.failures.size > 0;
  }

  /** Plans retries of this window's failures. Unreachable knowledge bases are listed; deleted ones are forgotten. */
  async planRetry(signal: AbortSignal): Promise<RetryPlans> {
    const planned = await Promise.all(
      [...this.failures].map(async ([datasetId, { datasetName, items, removals }]) => {
        try {
          const parts = await this.freshParts(datasetId);
          return await planRetry(parts, datasetId, [...items.values()], [...removals.values()], signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!isNotFound(error)) return { datasetName, error: toUploadError(error) };
          await this.endRuns(datasetId);
          return { datasetName, error: baseIsGone(datasetName, error) };
        }
      }),
    );
    const plans = planned.flatMap((each) => ('error' in each ? [] : [each]));
    return {
      plans: plans.filter(({ documents, removals }) => documents.length + removals.length > 0),
      problems: planned.flatMap((each) => ('error' in each ? [each] : [])),
    };
  }

  async isBusy(datasetId: string): Promise<boolean> {
    if (this.running.has(datasetId)) return true;
    const { state } = await this.deps.manifests.fresh(datasetId);
    return [...state.runs.values()].some(({ by }) => this.isGoing(by, state.lastAtMs));
  }

  async interrupted(): Promise<readonly InterruptedRun[]> {
    const manifests = await this.deps.manifests.allFresh();
    const interrupted: InterruptedRun[] = [];
    for (const [datasetId, manifest] of manifests) {
      const { state } = manifest;
      for (const [id, run] of [...state.runs]) {
        if (this.ownRuns.has(id) || this.isGoing(run.by, state.lastAtMs)) continue;
        if (run.record.isAutomatic) await this.endRun(manifest, id);
        else interrupted.push(interruptedRun(datasetId, run));
      }
    }
    return interrupted;
  }

  /** Reconciles, then sends the rest. If reconciling fails, throws a `SwitchboardError` and keeps the run. */
  async resume(run: InterruptedRun, signal: AbortSignal, onProgress?: OnProgress): Promise<UploadReport> {
    this.ownRuns.add(run.id);
    try {
      return await this.finish(run, signal, onProgress);
    } catch (error) {
      this.ownRuns.delete(run.id);
      throw isNotFound(error) ? baseIsGone(run.datasetName, error) : toUploadError(error);
    }
  }

  async discard({ id, datasetId }: InterruptedRun): Promise<void> {
    const manifest = await this.deps.manifests.of(datasetId);
    await manifest.append({ type: 'ended', at: this.deps.clock.now(), run: id });
  }

  forget(datasetId: string): void {
    this.failures.delete(datasetId);
  }

  private async endRuns(datasetId: string): Promise<void> {
    this.forget(datasetId);
    const manifest = await this.deps.manifests.of(datasetId);
    for (const run of manifest.state.runs.keys()) await this.endRun(manifest, run);
  }

  private endRun(manifest: Manifest, run: string): Promise<void> {
    return manifest.note({ type: 'ended', at: this.deps.clock.now(), run });
  }

  /** True if another window runs it. Process ids are reused, so a run that was silent for long has ended. */
  private isGoing(by: string, lastAtMs: number): boolean {
    const { processes, clock } = this.deps;
    return by !== processes.own && clock.now() - lastAtMs < longestSilenceMs && processes.isRunning(by);
  }

  private async freshParts(datasetId: string): Promise<UploadDependencies> {
    return this.parts(datasetId, await this.deps.manifests.fresh(datasetId));
  }

  private parts(datasetId: string, manifest: Manifest): UploadDependencies {
    return { ...this.deps, manifest, list: this.deps.list(datasetId), options: this.deps.options() };
  }

  private async finish(
    { id, datasetId }: InterruptedRun,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<UploadReport> {
    const parts = await this.freshParts(datasetId);
    const { files, manifest, list, clock, options, onSent } = parts;
    const run = manifest.state.runs.get(id);
    if (!run) throw new SwitchboardError('conflict', l10n.t('Nothing left to resume.'));
    await manifest.append({ type: 'resumed', at: clock.now(), run: id, by: this.deps.processes.own });
    const ofRun = new Set(run.left);
    const { dataset, platform, arrived: allArrived } = await readPlatform(parts, datasetId, signal);
    const arrived = allArrived.filter(({ name }) => ofRun.has(name));
    if (arrived.length > 0) onSent();

    const { items, problems } = await itemsLeft(
      files,
      run,
      platform,
      manifest.state.documents,
      options.maxFileSizeBytes,
    );
    list.toSend(items);
    for (const { item, error } of problems) list.notSent(item, error);
    const work: UploadWork = {
      id,
      dataset,
      settings: indexingSettings(dataset, run.record.settings),
      items,
      removals: run.record.removals.filter(({ documentId }) => run.leftRemovals.has(documentId)),
    };
    const report = await this.runNext(work, false, signal, onProgress);
    const namesOf = (uploads: readonly PendingUpload[]) => uploads.map(({ name }) => name);
    return {
      ...report,
      added: [...namesOf(arrived.filter(({ replaces }) => !replaces)), ...report.added],
      updated: [...namesOf(arrived.filter(({ replaces }) => replaces)), ...report.updated],
      failed: [
        ...problems.map(({ item, error }) => ({ name: item.name, error, isRemoval: false })),
        ...report.failed,
      ],
    };
  }

  private async runNext(
    work: UploadWork,
    isNew: boolean,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<UploadReport> {
    const { manifests, clock, closing, processes, onEnded } = this.deps;
    const datasetId = work.dataset.id;
    const before = this.running.get(datasetId);
    const run = async (): Promise<UploadOutcome> => {
      // Includes what other windows have sent since the plan.
      const manifest = await manifests.fresh(datasetId);
      // Recorded before waiting its turn, so that nothing is lost.
      if (isNew) await manifest.append(runRecord(work, clock.now(), processes.own));
      const stop = AbortSignal.any([signal, closing]);
      await Promise.race([before, aborted(stop)]);
      return new UploadRun(this.parts(datasetId, manifest), work, stop, onProgress).go();
    };
    const going = run().catch((error: unknown) =>
      notBegun(work, this.deps.list(datasetId), toUploadError(error)),
    );
    const all = Promise.all([before, going]);
    this.running.set(datasetId, all);
    const outcome = await going;
    if (this.running.get(datasetId) === all) this.running.delete(datasetId);
    this.remember(work, outcome);
    onEnded(datasetId, work.isAutomatic === true);
    return outcome.report;
  }

  private remember(work: UploadWork, { failedItems, failedRemovals }: UploadOutcome): void {
    const datasetId = work.dataset.id;
    const { items, removals } = this.failures.get(datasetId) ?? {
      items: new Map<string, UploadItem>(),
      removals: new Map<string, PlannedRemoval>(),
    };
    for (const { name } of work.items) items.delete(name);
    for (const { documentId } of work.removals) removals.delete(documentId);
    // A folder in step has a list of its own for them.
    for (const item of work.isAutomatic ? [] : failedItems) items.set(item.name, item);
    for (const removal of failedRemovals) removals.set(removal.documentId, removal);
    if (items.size + removals.size > 0)
      this.failures.set(datasetId, { datasetName: work.dataset.name, items, removals });
    else this.failures.delete(datasetId);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function notBegun(work: UploadWork, list: DocumentList, error: SwitchboardError): UploadOutcome {
  const results = new UploadResults(work);
  for (const item of work.items) {
    list.notSent(item, error);
    results.notSent(item, error);
  }
  for (const removal of work.removals) results.notRemoved(removal, error);
  return results.outcome();
}

function baseIsGone(name: string, cause: unknown): SwitchboardError {
  return new SwitchboardError(
    'request',
    l10n.t('The knowledge base "{0}" no longer exists on the platform.', name),
    { cause, status: 404 },
  );
}
