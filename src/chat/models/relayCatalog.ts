import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { Model } from '../../relay/messages.ts';
import type { ModelCatalog, ModelCatalogState } from './modelCatalog.ts';

export interface RelayCatalogDependencies {
  listModels(signal: AbortSignal): Promise<readonly Model[] | undefined>;
  merge(listed: readonly Model[]): readonly Model[];
  isKnown?(id: string): boolean;
}

export class RelayCatalog implements ModelCatalog, Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  private listed: readonly Model[] = [];
  private phase: ModelCatalogState['state'] = 'none';
  private error: SwitchboardError | undefined;
  private loading: AbortController | undefined;
  private loaded: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RelayCatalogDependencies) {}

  get state(): ModelCatalogState {
    const models = this.deps.merge(this.listed);
    return this.error ? { state: this.phase, models, error: this.error } : { state: this.phase, models };
  }

  find(id: string): Model | undefined {
    return this.state.models.find((model) => model.id === id);
  }

  isUnlisted(id: string): boolean {
    if (this.phase !== 'ready' || this.listed.length === 0) return false;
    return !this.find(id) && !this.deps.isKnown?.(id);
  }

  missingRelay(): undefined {
    return undefined;
  }

  async ensure(): Promise<void> {
    await (this.phase === 'none' ? this.load() : this.loaded);
  }

  load(): Promise<void> {
    this.loaded = this.loadList();
    return this.loaded;
  }

  dispose(): void {
    this.loading?.abort();
    this.loading = undefined;
  }

  private async loadList(): Promise<void> {
    this.loading?.abort();
    const loading = new AbortController();
    this.loading = loading;
    this.set('loading');
    try {
      const listed = await this.deps.listModels(loading.signal);
      if (this.loading !== loading) return;
      this.listed = listed ?? [];
      this.set(listed ? 'ready' : 'none');
    } catch (error) {
      if (this.loading !== loading || isCancelled(error)) return;
      this.set('failed', toSwitchboardError(error));
    }
  }

  private set(phase: ModelCatalogState['state'], error?: SwitchboardError): void {
    this.phase = phase;
    this.error = error;
    this.changes.fire();
  }
}
