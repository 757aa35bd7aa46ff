import { toRecord } from '../../base/errors/failureRecord.ts';
import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { CatalogModel, ModelCatalogState } from '../../chat/models/modelCatalog.ts';
import type { Failure } from '../../shared/failure.ts';
import type { ModelOption, Models } from '../../shared/transcript.ts';
import { presentFailure } from './presentFailure.ts';

export interface Choice {
  apps: readonly ModelOption[];
  favourites: readonly string[];
  recent: readonly string[];
  callsTools(modelId: string): boolean;
  selectedId: string | undefined;
  isUnlisted(modelId: string): boolean;
  missingRelay(modelId: string): string | undefined;
  nameOf(modelId: string): string;
}

export function toModels(
  { state, models, relays, error, failedRelay }: ModelCatalogState,
  { apps, favourites, recent, selectedId, callsTools, isUnlisted, missingRelay, nameOf }: Choice,
): Models {
  const options = [...models.map((model) => toModelOption(model, callsTools)), ...apps];
  // A model typed by hand can be used without being listed.
  const selected = selectedId && {
    ...(options.find(({ id }) => id === selectedId) ?? { id: selectedId, name: nameOf(selectedId) }),
  };
  const missing = selected && missingRelay(selected.id);
  return {
    state,
    options,
    favourites: [...favourites],
    recent: [...recent],
    ...(relays && { relays: [...relays] }),
    ...(selected && { selected }),
    ...(selected && isUnlisted(selected.id) && { isSelectedUnlisted: true }),
    ...(missing !== undefined && { missingRelay: missing }),
    ...(error && { failure: presentListFailure(error, failedRelay) }),
  };
}

function presentListFailure(error: SwitchboardError, relay: string | undefined): Failure {
  const failure = presentFailure(toRecord(error));
  return relay === undefined ? failure : { ...failure, message: `${relay}: ${failure.message}` };
}

function toModelOption(model: CatalogModel, callsTools: Choice['callsTools']): ModelOption {
  const { id, name, vendor, contextWindow, relay, plainId, vision, reasoning, kind } = model;
  const tools = model.toolCalling ?? (callsTools(id) || undefined);
  return {
    ...{ id, name },
    ...(vendor && { vendor }),
    ...(contextWindow && { contextWindow }),
    ...(relay && { relay }),
    ...(plainId !== undefined && { plainId }),
    ...(tools !== undefined && { tools }),
    ...(vision !== undefined && { images: vision }),
    ...(reasoning !== undefined && { reasoning }),
    ...(kind === 'other' && { kind }),
  };
}
