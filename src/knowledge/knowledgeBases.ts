import * as l10n from '@vscode/l10n';
import { createTurns, untilAborted } from '../base/async/promises.ts';
import { isCancelled, splitFirstSentence, type SwitchboardError } from '../base/errors/errors.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { NewDataset } from '../platform/datasets.ts';
import { isApiAccessOff, isExternalSearchMissing, isOutOfScope } from '../platform/platformErrors.ts';
import type { Dataset } from '../platform/records.ts';
import { toUploadError } from './upload/sendDocument.ts';

export interface BasesState {
  type: 'notLoaded' | 'loading' | 'ready' | 'failed';
  datasets: readonly Dataset[];
  error?: SwitchboardError;
  /** True for a key made for some knowledge bases; these are then the ones that the user added. */
  isScoped?: boolean;
}

/** Added by the user: for keys that can't list knowledge bases, and agent knowledge bases, which no call lists. */
export interface AddedBase {
  id: string;
  name: string;
  isAgent?: boolean;
}

export class KnowledgeBases {
  /** External ones that the server doesn't search; asked again by the next window, as servers are updated. */
  private readonly unsearchable = new Set<string>();
  private current: BasesState = { type: 'notLoaded', datasets: [] };
  private readonly inTurn = createTurns();

  constructor(
    private readonly deps: {
      client: PlatformClient;
      added(): readonly AddedBase[];
      closing: AbortSignal;
      onChange: () => void;
      onDeleted: (datasetId: string) => Promise<void>;
    },
  ) {}

  get state(): BasesState {
    return this.current;
  }

  find(datasetId: string): Dataset | undefined {
    return this.current.datasets.find(({ id }) => id === datasetId);
  }

  /** Known without the list, which may have failed. */
  isAgent(datasetId: string): boolean {
    return this.deps.added().some(({ id, isAgent }) => id === datasetId && isAgent);
  }

  /** Throws a `SwitchboardError`, which the state then holds, too. */
  load(signal: AbortSignal): Promise<readonly Dataset[]> {
    return this.change(signal, () => this.loadNow(signal));
  }

  /** Changes wait for each other: a list that was read before one would undo it. */
  private async change<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      const done = this.inTurn(() => {
        signal.throwIfAborted();
        return work();
      });
      return await untilAborted(done, signal);
    } catch (error) {
      throw toSwitchboardError(error);
    }
  }

  private async loadNow(signal: AbortSignal): Promise<readonly Dataset[]> {
    const before = this.current;
    const { isScoped } = before;
    this.set({ type: 'loading', datasets: before.datasets, ...(isScoped && { isScoped }) });
    try {
      const listed = await this.list(signal);
      const agents = this.deps.added().filter(({ isAgent }) => isAgent);
      const others = listed ?? (await this.readAdded(signal));
      const datasets = [...others, ...agents.map(toDataset)];
      this.set({ type: 'ready', datasets, ...(!listed && { isScoped: true }) });
      return this.current.datasets;
    } catch (thrown) {
      const error = toUploadError(thrown);
      const datasets = before.datasets.map(withoutCount);
      this.set(
        isCancelled(error) ? before : { type: 'failed', datasets, error, ...(isScoped && { isScoped }) },
      );
      throw error;
    }
  }

  /** Undefined if the key was made for some knowledge bases. */
  private async list(signal: AbortSignal): Promise<readonly Dataset[] | undefined> {
    try {
      return await this.deps.client.datasets.list(signal);
    } catch (error) {
      if (isOutOfScope(error)) return undefined;
      throw error;
    }
  }

  /** A refused one stays, with the reason; an unreachable platform fails them all. */
  private readAdded(signal: AbortSignal): Promise<Dataset[]> {
    const { client, added } = this.deps;
    return Promise.all(
      added()
        .filter(({ isAgent }) => !isAgent)
        .map((base) =>
          client.datasets.get(base.id, signal).catch((thrown: unknown): Dataset => {
            const error = toUploadError(thrown);
            if (error.status !== 403 && error.status !== 404) throw error;
            const known = toDataset(base);
            return isApiAccessOff(error)
              ? { ...known, isApiEnabled: false }
              : { ...known, problem: problemOf(error) };
          }),
        ),
    );
  }

  create(dataset: NewDataset, signal: AbortSignal): Promise<Dataset> {
    return this.change(signal, () => this.createNow(dataset, signal));
  }

  private async createNow({ memberIds, ...dataset }: NewDataset, signal: AbortSignal): Promise<Dataset> {
    const { datasets } = this.deps.client;
    const { permission } = dataset;
    // A creation takes no members. If naming them fails, it stays its owner's.
    const created = await datasets.create(
      memberIds ? { ...dataset, permission: 'only_me' } : dataset,
      signal,
    );
    this.set({ ...this.current, datasets: [created, ...this.current.datasets] });
    if (!memberIds || !permission) return created;
    const shared = await datasets.update(created.id, { permission, memberIds }, signal);
    this.replace(shared);
    return shared;
  }

  rename(datasetId: string, name: string, signal: AbortSignal): Promise<void> {
    return this.change(signal, async () =>
      this.replace(await this.deps.client.datasets.update(datasetId, { name }, signal)),
    );
  }

  async delete(datasetId: string, signal: AbortSignal): Promise<void> {
    await this.change(signal, async () => {
      await this.deps.client.datasets.delete(datasetId, signal);
      this.set({ ...this.current, datasets: this.current.datasets.filter(({ id }) => id !== datasetId) });
    });
    await this.deps.onDeleted(datasetId);
  }

  async refresh(datasetId: string): Promise<void> {
    if (!this.find(datasetId) || this.isAgent(datasetId)) return;
    try {
      this.replace(await this.deps.client.datasets.get(datasetId, this.deps.closing));
    } catch (error) {
      this.failed(datasetId, error);
    }
  }

  counted(datasetId: string, documentCount: number): void {
    const dataset = this.find(datasetId);
    if (!dataset || (dataset.documentCount === documentCount && dataset.isApiEnabled !== false)) return;
    const { isApiEnabled: _, ...rest } = dataset;
    this.replace({ ...rest, documentCount });
  }

  searchChanged(): void {
    this.deps.onChange();
  }

  failed(datasetId: string, error: unknown): void {
    const dataset = this.find(datasetId);
    if (!dataset || isCancelled(error)) return;
    if (isExternalSearchMissing(error)) {
      if (dataset.isExternal) this.unsearchable.add(datasetId);
      this.replace(dataset);
      return;
    }
    this.replace({ ...withoutCount(dataset), ...(isApiAccessOff(error) && { isApiEnabled: false }) });
  }

  private replace(dataset: Dataset): void {
    const datasets = this.current.datasets.map((other) => (other.id === dataset.id ? dataset : other));
    this.set({ ...this.current, datasets });
  }

  private set(state: BasesState): void {
    const datasets = state.datasets.map((dataset) =>
      this.unsearchable.has(dataset.id) ? { ...dataset, isUnsearchable: true } : dataset,
    );
    this.current = { ...state, datasets };
    this.deps.onChange();
  }
}

function toDataset({ id, name, isAgent }: AddedBase): Dataset {
  return {
    id,
    name,
    description: '',
    isExternal: false,
    wordCount: 0,
    tags: [],
    ...(isAgent && { isAgent }),
  };
}

/** With the server's own words: what a 403 means is documented by its status alone. */
function problemOf({ message, why }: SwitchboardError): string {
  const { first } = splitFirstSentence(message);
  return why ? `${first} ${l10n.t('Server response: {0}', why)}` : first;
}

function withoutCount(dataset: Dataset): Dataset {
  const rest = { ...dataset };
  delete rest.documentCount;
  return rest;
}
