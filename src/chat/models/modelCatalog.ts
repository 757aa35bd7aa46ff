import type { Event } from '../../base/emitter.ts';
import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { Model } from '../../relay/messages.ts';

export interface CatalogModel extends Model {
  relay?: string;
  plainId?: string;
}

export interface ModelCatalogState {
  /** `ready` once one relay's list is loaded and none is pending. */
  state: 'none' | 'loading' | 'ready' | 'failed';
  models: readonly CatalogModel[];
  relays?: readonly { name: string; prefix: string }[];
  error?: SwitchboardError;
  failedRelay?: string;
}

export interface ModelCatalog {
  readonly onDidChange: Event<void>;
  readonly state: ModelCatalogState;
  find(id: string): CatalogModel | undefined;
  /** True if the relay's loaded list lacks this model. Empty lists don't count. */
  isUnlisted(id: string): boolean;
  /** Host of the model's relay if only others are connected; empty if that relay no longer exists. */
  missingRelay(id: string): string | undefined;
  ensure(): Promise<void>;
  /** Reloads all lists. Failures become the state and aren't thrown. */
  load(): Promise<void>;
}
