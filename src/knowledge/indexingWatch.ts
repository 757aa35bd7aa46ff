import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Log } from '../base/log.ts';
import { messageOf } from '../base/messageOf.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { DocumentList } from './documentList.ts';
import { documentStatus, type DocumentStatus, outcomeOf } from './documentStatus.ts';
import { isGone, lookAtIndexing, type IndexingLook } from './lookAtIndexing.ts';
import type { Manifest } from './manifest.ts';
import type { Outcome, SentDocument } from './manifestRecords.ts';
import type { Manifests } from './manifests.ts';
import { watchPause } from './watchPauses.ts';

export interface WatchNeeds {
  client: PlatformClient;
  manifests: Manifests;
  list(datasetId: string): DocumentList;
  /** `now` in milliseconds since the epoch. */
  clock: Clock;
  log: Log;
}

interface Movement {
  /** When what it is about was sent. */
  sentAtMs: number;
  /** What was seen last. */
  seen: string;
  atMs: number;
  /** How often in a row it was not in the list. */
  missed: number;
}

const stuckMs = 3 * 60_000;
const giveUpMs = 30 * 60_000;
const soonMs = 5000;
/** A list that changes while its pages are read may pass over a document once. */
const mostMissed = 2;

/**
 * Watches what was sent until it is indexed, in this window or an earlier one: pending is what has no outcome in its
 * manifest. Has no timer when nothing is pending, and none after half an hour in which nothing moved.
 */
export class IndexingWatch implements Disposable {
  private readonly abort = new AbortController();
  private readonly movements = new Map<string, Movement>();
  /** By knowledge base: when something in it moved last. */
  private readonly baseMovedAtMs = new Map<string, number>();
  private timer: Disposable | undefined;
  private pauseMs = 0;
  private isLooking = false;
  /** What was sent while we looked may not be part of what we looked at. */
  private hasBegunMeanwhile = false;
  private looks = 0;
  private quiet = 0;
  private movedAtMs = 0;
  private areAllStuck = false;

  constructor(private readonly needs: WatchNeeds) {}

  /** Begins anew with short pauses, unless a look is due soon anyway. */
  start(): void {
    this.movedAtMs = this.needs.clock.now();
    this.hasBegunMeanwhile = this.isLooking;
    const isDueSoon = this.isLooking || (this.timer && this.pauseMs <= soonMs);
    if (this.abort.signal.aborted || isDueSoon) return;
    this.looks = 0;
    this.quiet = 0;
    this.plan();
  }

  dispose(): void {
    this.abort.abort();
    this.timer?.dispose();
    this.timer = undefined;
  }

  private plan(): void {
    this.timer?.dispose();
    this.pauseMs = watchPause(this.looks, this.quiet, this.areAllStuck);
    this.timer = this.needs.clock.after(this.pauseMs, () => {
      this.timer = undefined;
      void this.look();
    });
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    this.looks++;
    let isPending = true;
    let hasMoved = false;
    try {
      ({ isPending, hasMoved } = await this.lookAtAll());
    } catch (error) {
      // Whatever is wrong will show where the user acts; here it only means to look less often.
      this.needs.log.info(`Indexing could not be looked at: ${messageOf(error)}`);
    } finally {
      this.isLooking = false;
    }
    this.quiet = hasMoved ? 0 : this.quiet + 1;
    const now = this.needs.clock.now();
    if (hasMoved) this.movedAtMs = now;
    isPending ||= this.hasBegunMeanwhile;
    this.hasBegunMeanwhile = false;
    if (isPending && !this.abort.signal.aborted && now - this.movedAtMs < giveUpMs) this.plan();
  }

  private async lookAtAll(): Promise<{ isPending: boolean; hasMoved: boolean }> {
    let isPending = false;
    let hasMoved = false;
    let areAllStuck = true;
    let failure: unknown;
    for (const [datasetId, manifest] of await this.needs.manifests.all()) {
      const pending = [...manifest.state.documents.values()].filter(({ outcome }) => !outcome);
      if (pending.length === 0) continue;
      try {
        const looked = await this.lookAt(datasetId, manifest, pending);
        isPending ||= looked.isPending;
        hasMoved ||= looked.hasMoved;
        areAllStuck &&= looked.areAllStuck;
      } catch (error) {
        failure ??= error;
        isPending = true;
      }
    }
    this.areAllStuck = isPending && areAllStuck;
    if (failure && !hasMoved) throw failure;
    return { isPending, hasMoved };
  }

  private async lookAt(datasetId: string, manifest: Manifest, pending: readonly SentDocument[]) {
    const looks = await lookAtIndexing(this.needs.client, datasetId, pending, this.abort.signal).catch(
      (error: unknown) => {
        // The knowledge base was deleted, and all that was in it.
        if (isGone(error)) return undefined;
        throw error;
      },
    );
    const seen = pending.flatMap((sent) => {
      const look = looks ? looks.get(sent.documentId) : {};
      // It may have been sent anew while we looked; then this is not about it.
      const isCurrent = manifest.state.documents.get(sent.name) === sent;
      return look && isCurrent ? [{ sent, look, hasMoved: this.note(sent, look) }] : [];
    });
    const hasMoved = seen.some((each) => each.hasMoved);
    const now = this.needs.clock.now();
    if (hasMoved) this.baseMovedAtMs.set(datasetId, now);

    let isPending = seen.length < pending.length;
    let areAllStuck = true;
    for (const { sent, look } of seen) {
      const isMissing = !look.record && !look.progress;
      if (isMissing && looks && (this.movements.get(sent.documentId)?.missed ?? 0) < mostMissed) {
        isPending = true;
        areAllStuck = false;
        continue;
      }
      const status = isMissing ? undefined : this.statusOf(datasetId, sent, look, now);
      const outcome: Outcome | undefined = status ? outcomeOf(status) : { type: 'gone' };
      if (outcome) {
        this.movements.delete(sent.documentId);
        await manifest.append({ type: 'outcome', at: now, documentId: sent.documentId, outcome });
      } else {
        isPending = true;
        areAllStuck &&= status?.type === 'stuck';
      }
      const list = this.needs.list(datasetId);
      const { name, path, lines, documentId } = sent;
      const origin = { path, ...(lines && { lines }) };
      if (status) list.observe({ documentId, name, origin }, status, look.record);
      else list.removed([documentId]);
    }
    return { isPending, hasMoved, areAllStuck };
  }

  /** Whether it is not as it was. */
  private note({ documentId, at }: SentDocument, look: IndexingLook): boolean {
    const state = look.progress?.state ?? look.record?.state;
    const seen = `${state ?? ''} ${look.progress?.completedSegments ?? ''}`;
    const known = this.movements.get(documentId);
    // What was sent again starts over, though the platform keeps the id.
    const before = known?.sentAtMs === at ? known : undefined;
    const missed = state === undefined ? (before?.missed ?? 0) + 1 : 0;
    const now = this.needs.clock.now();
    // What waits has not moved since it was sent; of anything else nobody knows.
    const begunAtMs = state === 'waiting' ? Math.min(at, now) : now;
    const hasMoved = before !== undefined && before.seen !== seen;
    const atMs = hasMoved ? now : (before?.atMs ?? begunAtMs);
    this.movements.set(documentId, { sentAtMs: at, seen, atMs, missed });
    return hasMoved || state === 'completed';
  }

  private statusOf(
    datasetId: string,
    { documentId }: SentDocument,
    { record, progress }: IndexingLook,
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
    const ownMs = this.movements.get(documentId)?.atMs ?? now;
    // As long as others move, what waits is only waiting for its turn.
    const sinceMs = now - (isWaiting ? Math.max(ownMs, this.baseMovedAtMs.get(datasetId) ?? ownMs) : ownMs);
    return sinceMs < stuckMs ? status : { type: 'stuck', at: isWaiting ? 'waiting' : 'indexing', sinceMs };
  }
}
