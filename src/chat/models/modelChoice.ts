import { appIdOf, appModelId } from '../../apps/appModelId.ts';
import { isForChat } from '../../relay/messages.ts';
import type { ModelCatalogState } from './modelCatalog.ts';

export interface ModelChoice {
  configured: string;
  shown: string | undefined;
  last: string | undefined;
  isRelayConnected: boolean;
  isMissing(modelId: string): boolean;
  catalog: ModelCatalogState;
  appIds: readonly string[];
}

/** Default model of a new chat. The user chooses among several, since models differ in cost. */
export function defaultModel(choice: ModelChoice): string | undefined {
  const { configured, isRelayConnected, catalog, appIds } = choice;
  if (configured) return configured;
  const usual = [choice.shown, choice.last].find((modelId) => {
    // The app may have been removed since.
    const appId = appIdOf(modelId ?? '');
    return modelId && !choice.isMissing(modelId) && (appId === undefined || appIds.includes(appId));
  });
  if (usual !== undefined) return usual;
  const models = isRelayConnected
    ? catalog.models.filter(isForChat).map(({ id }) => id)
    : appIds.map(appModelId);
  return models.length === 1 && (catalog.state === 'ready' || !isRelayConnected) ? models[0] : undefined;
}
