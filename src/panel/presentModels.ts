import { toRecord } from '../base/failure.ts';
import type { SwitchboardError } from '../base/errors.ts';
import type { CatalogModel, ModelCatalogState } from '../chat/modelCatalog.ts';
import type { Failure } from '../shared/failure.ts';
import type { ModelOption, Models } from '../shared/transcript.ts';
import { presentFailure } from './presentFailure.ts';

/** What the picker shows beside the relay's models. */
export interface Choice {
  apps: readonly ModelOption[];
  favourites: readonly string[];
  recent: readonly string[];
  /** Whether a model was seen to call tools. */
  callsTools(modelId: string): boolean;
  selectedId: string | undefined;
  isUnlisted(modelId: string): boolean;
  /** The host of a model's relay that is not connected. */
  missingRelay(modelId: string): string | undefined;
  /** Also of what is not listed. */
  nameOf(modelId: string): string;
}

/** Models and apps to choose from. */
export function toModels(
  { state, models, relays, error, failedRelay }: ModelCatalogState,
  { apps, favourites, recent, selectedId, callsTools, isUnlisted, missingRelay, nameOf }: Choice,
): Models {
  const options = [...models.map((model) => toModelOption(model, callsTools)), ...apps];
  // A model typed by hand need not be listed to be used.
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

/** @param relay whose list it is, where there are several */
function presentListFailure(error: SwitchboardError, relay: string | undefined): Failure {
  const failure = presentFailure(toRecord(error));
  return relay === undefined ? failure : { ...failure, message: `${relay}: ${failure.message}` };
}

function toModelOption(model: CatalogModel, callsTools: Choice['callsTools']): ModelOption {
  const { id, name, vendor, contextWindow, relay, plainId, vision, reasoning } = model;
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
  };
}
