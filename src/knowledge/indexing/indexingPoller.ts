import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import { isNotFound } from '../../platform/platformErrors.ts';
import type { DocumentList } from '../documentList.ts';
import { documentStatus, type DocumentStatus, outcomeOf } from './documentStatus.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Outcome, SentDocument } from '../manifest/manifestRecords.ts';
import type { Manifests } from '../manifest/manifests.ts';
import { pollIndexing, type PolledDocument } from './pollIndexing.ts';
import type { Processes } from '../upload/uploads.ts';

const firstDelaysMs = [1000, 2000, 4000];
const usualDelayMs = 5000;
const longestDelayMs = 30_000;
const longestStuckDelayMs = 60_000;
const delayGrowth = 1.25;

/** In ms. `polls`: since the last upload; `unchangedPolls`: the latest ones without news. */
export function pollDelay(polls: number, unchangedPolls: number, isAllStuck: boolean): number {
  const first = firstDelaysMs[polls];
  if (first !== undefined) return first;
  const longest = isAllStuck ? longestStuckDelayMs : longestDelayMs;
  return Math.min(usualDelayMs * delayGrowth ** unchangedPolls, longest);
}

export interface IndexingPollerDependencies {
  client: PlatformClient;
  manifests: Manifests;
  list(datasetId: string): DocumentList;
  processes: Pick<Processes, 'own'>;
  clock: Clock;
  log: Log;
}

export interface NotIndexed {
  datasetId: string;
  documents: readonly { name: string; status: Extract<DocumentStatus, { type: 'failed' | 'empty' }> }[];
}

interface LastSeen {
  sentAtMs: number;
  seen: string;
  atMs: number;
  missed: number;
}

const stuckMs = 3 * 60_000;
const giveUpMs = 30 * 60_000;
const soonMs = 5000;
/** A list that changes while it is paged may miss a document once. */
const mostMissed = 2;

/** Polls all without an outcome in its manifest. No timer if nothing is pending or has moved for half an hour. */
export class IndexingPoller implements Disposable {
  private readonly failures = new Emitter<NotIndexed>();
  /** Fires once per batch of failures across all windows, in a later window if this one closes. */
  readonly onDidFail = this.failures.event;
  private readonly abort = new AbortController();
  private readonly lastSeen = new Map<string, LastSeen>();
  private readonly baseMovedAtMs = new Map<string, number>();
  private timer: Disposable | undefined;
  private delayMs = 0;
  private isPolling = false;
  private hasStartedMeanwhile = false;
  private polls = 0;
  private unchangedPolls = 0;
  private movedAtMs = 0;
  private areAllStuck = false;

  constructor(private readonly deps: IndexingPollerDependencies) {}

  start(): void {
    this.movedAtMs = this.deps.clock.now();
    this.hasStartedMeanwhile = this.isPolling;
    const isDueSoon = this.isPolling || (this.timer && this.delayMs <= soonMs);
    if (this.abort.signal.aborted || isDueSoon) return;
    this.polls = 0;
    this.unchangedPolls = 0;
    this.schedule();
  }

  dispose(): void {
    this.abort.abort();
    this.timer?.dispose();
    this.timer = undefined;
  }

  private schedule(): void {
    this.timer?.dispose();
    this.delayMs = pollDelay(this.polls, this.unchangedPolls, this.areAllStuck);
    this.timer = this.deps.clock.after(this.delayMs, () => {
      this.timer = undefined;
      void this.poll();
    });
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    this.polls++;
    let isPending = true;
    let hasMoved = false;
    try {
      ({ isPending, hasMoved } = await this.pollAll());
    } catch (error) {
      // The failure will show where the user acts; here it only slows polling.
      this.deps.log.info(`Indexing could not be polled: ${messageOf(error)}`);
    } finally {
      this.isPolling = false;
    }
    this.unchangedPolls = hasMoved ? 0 : this.unchangedPolls + 1;
    const now = this.deps.clock.now();
    if (hasMoved) this.movedAtMs = now;
    isPending ||= this.hasStartedMeanwhile;
    this.hasStartedMeanwhile = false;
    if (isPending && !this.abort.signal.aborted && now - this.movedAtMs < giveUpMs) this.schedule();
  }

  private async pollAll(): Promise<{ isPending: boolean; hasMoved: boolean }> {
    let isPending = false;
    let hasMoved = false;
    let areAllStuck = true;
    let failure: unknown;
    for (const [datasetId, manifest] of await this.deps.manifests.all()) {
      const pending = [...manifest.state.documents.values()].filter(({ outcome }) => !outcome);
      try {
        if (pending.length === 0) {
          await this.announce(datasetId, manifest);
          continue;
        }
        const polled = await this.pollBase(datasetId, manifest, pending);
        isPending ||= polled.isPending;
        hasMoved ||= polled.hasMoved;
        areAllStuck &&= polled.areAllStuck;
      } catch (error) {
        failure ??= error;
        isPending = true;
      }
    }
    this.areAllStuck = isPending && areAllStuck;
    if (failure && !hasMoved) throw failure;
    return { isPending, hasMoved };
  }

  private async pollBase(datasetId: string, manifest: Manifest, pending: readonly SentDocument[]) {
    const polled = await pollIndexing(this.deps.client, datasetId, pending, this.abort.signal).catch(
      (error: unknown) => {
        // The knowledge base was deleted with its documents.
        if (isNotFound(error)) return undefined;
        throw error;
      },
    );
    const seen = pending.flatMap((sent) => {
      const look = polled ? polled.get(sent.documentId) : {};
      // After another upload, the status is about the earlier version.
      const isCurrent = manifest.state.documents.get(sent.name) === sent;
      return look && isCurrent ? [{ sent, look, hasMoved: this.note(sent, look) }] : [];
    });
    const hasMoved = seen.some((each) => each.hasMoved);
    const now = this.deps.clock.now();
    if (hasMoved) this.baseMovedAtMs.set(datasetId, now);

    let isPending = seen.length < pending.length;
    let areAllStuck = true;
    for (const { sent, look } of seen) {
      const isMissing = !look.record && !look.progress;
      if (isMissing && polled && (this.lastSeen.get(sent.documentId)?.missed ?? 0) < mostMissed) {
        isPending = true;
        areAllStuck = false;
        continue;
      }
      const status = isMissing ? undefined : this.statusOf(datasetId, sent, look, now);
      const outcome: Outcome | undefined = status ? outcomeOf(status) : { type: 'gone' };
      if (outcome) {
        this.lastSeen.delete(sent.documentId);
        await manifest.append({ type: 'outcome', at: now, documentId: sent.documentId, outcome });
      } else {
        isPending = true;
        areAllStuck &&= status?.type === 'stuck';
      }
      const list = this.deps.list(datasetId);
      const { name, path, lines, documentId } = sent;
      const origin = { path, ...(lines && { lines }) };
      if (status) list.observe({ documentId, name, origin }, status, look.record);
      else list.removed([documentId]);
    }
    if (!isPending || areAllStuck) await this.announce(datasetId, manifest);
    return { isPending, hasMoved, areAllStuck };
  }

  private async announce(datasetId: string, manifest: Manifest): Promise<void> {
    const { processes, clock } = this.deps;
    const news = [...manifest.state.documents.values()].filter(
      ({ outcome, announcedBy }) => outcome?.isNews && announcedBy === undefined,
    );
    if (news.length === 0) return;
    const documentIds = news.map(({ documentId }) => documentId);
    await manifest.append({ type: 'announced', at: clock.now(), documentIds, by: processes.own });
    await manifest.reload();
    const documents = news.flatMap(({ name, documentId, outcome }) => {
      if (manifest.state.byId.get(documentId)?.announcedBy !== processes.own) return [];
      const { type, reason } = outcome ?? {};
      const failed = { type: 'failed' as const, ...(reason !== undefined && { reason }) };
      return [{ name, status: type === 'empty' ? { type } : failed }];
    });
    if (documents.length > 0) this.failures.fire({ datasetId, documents });
  }

  private note({ documentId, at }: SentDocument, look: PolledDocument): boolean {
    const state = look.progress?.state ?? look.record?.state;
    const seen = `${state ?? ''} ${look.progress?.completedSegments ?? ''}`;
    const known = this.lastSeen.get(documentId);
    // A new upload starts over, although the platform keeps the id.
    const before = known?.sentAtMs === at ? known : undefined;
    const missed = state === undefined ? (before?.missed ?? 0) + 1 : 0;
    const now = this.deps.clock.now();
    // A waiting document hasn't moved since it was sent.
    const begunAtMs = state === 'waiting' ? Math.min(at, now) : now;
    const hasMoved = before !== undefined && before.seen !== seen;
    const atMs = hasMoved ? now : (before?.atMs ?? begunAtMs);
    this.lastSeen.set(documentId, { sentAtMs: at, seen, atMs, missed });
    return hasMoved || state === 'completed';
  }

  private statusOf(
    datasetId: string,
    { documentId }: SentDocument,
    { record, progress }: PolledDocument,
    now: number,
  ): DocumentStatus {
    const status = documentStatus({
      ...(record ?? { state: 'unknown' as const }),
      ...(progress && {
        state: progress.state,
        error: progress.error ?? record?.error,
        completedSegments: progress.completedSegments,
        totalSegments: progress.totalSegments,
      }),
    });
    if (outcomeOf(status)) return status;
    const isWaiting = status.type === 'waiting';
    const ownMs = this.lastSeen.get(documentId)?.atMs ?? now;
    // While others move, a waiting document is only queued.
    const sinceMs = now - (isWaiting ? Math.max(ownMs, this.baseMovedAtMs.get(datasetId) ?? ownMs) : ownMs);
    return sinceMs < stuckMs ? status : { type: 'stuck', at: isWaiting ? 'waiting' : 'indexing', sinceMs };
  }
}
