import { toRecord } from '../base/failure.ts';
import type { ModelCatalogState } from '../chat/modelCatalog.ts';
import type { Model } from '../relay/messages.ts';
import type { ModelOption, Models } from '../shared/transcript.ts';
import { presentFailure } from './presentFailure.ts';

/** What the picker shows beside the relay's models. */
export interface Choice {
  apps: readonly ModelOption[];
  favourites: readonly string[];
  selectedId: string | undefined;
  isUnlisted(modelId: string): boolean;
  /** Also of what is not listed. */
  nameOf(modelId: string): string;
}

/** Models and apps to choose from. */
export function toModels(
  { state, models, error }: ModelCatalogState,
  { apps, favourites, selectedId, isUnlisted, nameOf }: Choice,
): Models {
  const options = [...models.map(toModelOption), ...apps];
  // A model typed by hand need not be listed to be used.
  const selected = selectedId && {
    ...(options.find(({ id }) => id === selectedId) ?? { id: selectedId, name: nameOf(selectedId) }),
  };
  return {
    state,
    options,
    favourites: [...favourites],
    ...(selected && { selected }),
    ...(selected && isUnlisted(selected.id) && { isSelectedUnlisted: true }),
    ...(error && { failure: presentFailure(toRecord(error)) }),
  };
}

function toModelOption({ id, name, vendor, contextWindow }: Model): ModelOption {
  return { id, name, ...(vendor && { vendor }), ...(contextWindow && { contextWindow }) };
}
