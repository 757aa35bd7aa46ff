import type { Event } from '../base/emitter.ts';
import type { SwitchboardError } from '../base/errors.ts';
import type { Model } from '../relay/messages.ts';

/** A model to choose, under the id that names it everywhere. */
export interface CatalogModel extends Model {
  /** What its relay is called, where several are connected. */
  relay?: string;
  /** What its relay calls it, where the id names the relay, too. */
  plainId?: string;
}

export interface ModelCatalogState {
  /** `ready` as soon as the list of one relay is there and none is awaited. */
  state: 'none' | 'loading' | 'ready' | 'failed';
  models: readonly CatalogModel[];
  /** Where several are connected: their names, and what ids of their models begin with. */
  relays?: readonly { name: string; prefix: string }[];
  /** Of the first relay whose list could not be loaded. */
  error?: SwitchboardError;
  /** What that relay is called, where several are connected. */
  failedRelay?: string;
}

/** The models the user can choose from. */
export interface ModelCatalog {
  readonly onDidChange: Event<void>;
  readonly state: ModelCatalogState;
  find(id: string): CatalogModel | undefined;
  /**
   * Whether the relay's list is there and lacks this model. A relay that lists nothing says nothing about what it
   * serves, so there no model is unlisted.
   */
  isUnlisted(id: string): boolean;
  /** The host of a model's relay, if that is not connected while others are; empty if there is none any more. */
  missingRelay(id: string): string | undefined;
  /** Loads what is not there, and resolves when it is. */
  ensure(): Promise<void>;
  /** Loads all again. A failure becomes the state, it is not thrown. */
  load(): Promise<void>;
}
