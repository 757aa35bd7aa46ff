import { appIdOf, appModelId } from '../apps/appModelId.ts';
import type { ModelCatalogState } from './modelCatalog.ts';

export interface ModelChoice {
  /** The setting `chat.model`; may be empty. */
  configured: string;
  /** What was selected last, if anything. */
  last: string | undefined;
  isRelayConnected: boolean;
  /** Whether the relay that a model's id names is not connected. */
  isMissing(modelId: string): boolean;
  catalog: ModelCatalogState;
  /** Of the apps that can be talked with. */
  appIds: readonly string[];
}

/**
 * The model of a chat that has none of its own yet. Among several the user chooses, since a model decides what an
 * answer costs; the only one there is needs no choice.
 */
export function defaultModel(choice: ModelChoice): string | undefined {
  const { configured, isRelayConnected, catalog, appIds } = choice;
  const last = choice.last !== undefined && choice.isMissing(choice.last) ? undefined : choice.last;
  if (configured) return configured;
  // What was selected last may be an app that was removed since.
  const appId = appIdOf(last ?? '');
  if (last !== undefined && (appId === undefined || appIds.includes(appId))) return last;
  const models = isRelayConnected ? catalog.models.map(({ id }) => id) : appIds.map(appModelId);
  return models.length === 1 && (catalog.state === 'ready' || !isRelayConnected) ? models[0] : undefined;
}
