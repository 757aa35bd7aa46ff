import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import { isForChat } from '../../relay/list/forChat.ts';
import type { ModelCatalogState } from './modelCatalog.ts';

export interface ModelChoice {
  /** The setting `chat.model`; may be empty. */
  configured: string;
  last: string | undefined;
  isRelayConnected: boolean;
  isMissing(modelId: string): boolean;
  catalog: ModelCatalogState;
  appIds: readonly string[];
}

/** Default model of a new chat. The user chooses among several, since models differ in cost. */
export function defaultModel(choice: ModelChoice): string | undefined {
  const { configured, isRelayConnected, catalog, appIds } = choice;
  const last = choice.last !== undefined && choice.isMissing(choice.last) ? undefined : choice.last;
  if (configured) return configured;
  // The app may have been removed since.
  const appId = appIdOf(last ?? '');
  if (last !== undefined && (appId === undefined || appIds.includes(appId))) return last;
  const models = isRelayConnected
    ? catalog.models.filter(isForChat).map(({ id }) => id)
    : appIds.map(appModelId);
  return models.length === 1 && (catalog.state === 'ready' || !isRelayConnected) ? models[0] : undefined;
}
