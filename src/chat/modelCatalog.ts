import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { isCancelled, SwitchboardError } from '../base/errors.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import type { Model } from '../relay/messages.ts';

export interface ModelCatalogState {
  state: 'none' | 'loading' | 'ready' | 'failed';
  models: readonly Model[];
  error?: SwitchboardError;
}

export interface ModelCatalogDependencies {
  /** The relay's list, or undefined when no relay is connected. Throws a `SwitchboardError`. */
  listModels(signal: AbortSignal): Promise<readonly Model[] | undefined>;
  /** Joins the list with what settings say. */
  merge(listed: readonly Model[]): readonly Model[];
  /** Whether an id is right although the relay does not list it: an app's, or one that the user insisted on. */
  isKnown?(id: string): boolean;
}

/** The models the user can choose from. Loads when asked, never by itself. */
export class ModelCatalog implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  private listed: readonly Model[] = [];
  private phase: ModelCatalogState['state'] = 'none';
  private error: SwitchboardError | undefined;
  private loading: AbortController | undefined;
  private loaded: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ModelCatalogDependencies) {}

  get state(): ModelCatalogState {
    const models = this.deps.merge(this.listed);
    return this.error ? { state: this.phase, models, error: this.error } : { state: this.phase, models };
  }

  find(id: string): Model | undefined {
    return this.state.models.find((model) => model.id === id);
  }

  /**
   * Whether the relay's list is there and lacks this model. A relay that lists nothing says nothing about what it
   * serves, so there no model is unlisted.
   */
  isUnlisted(id: string): boolean {
    if (this.phase !== 'ready' || this.listed.length === 0) return false;
    return !this.find(id) && !this.deps.isKnown?.(id);
  }

  /** Loads the list unless it is there, and resolves when it is. */
  async ensure(): Promise<void> {
    await (this.phase === 'none' ? this.load() : this.loaded);
  }

  /** Reloads the list; a newer call replaces an older one. A failure becomes the state, it is not thrown. */
  load(): Promise<void> {
    this.loaded = this.loadList();
    return this.loaded;
  }

  /** Forgets the list: the relay or its key is another one now. */
  reset(): void {
    this.loading?.abort();
    this.loading = undefined;
    this.listed = [];
    this.set('none');
  }

  /** Settings changed: the list stays, what is merged into it may differ. */
  refresh(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.loading?.abort();
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
