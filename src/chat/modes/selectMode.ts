import type { ChatController } from '../chatController.ts';
import type { ModelCatalog } from '../models/modelCatalog.ts';
import { modelNamed } from './modelNamed.ts';
import type { ProjectModes } from './projectModes.ts';

/** Takes effect with the next call, and selects the mode's model if it is listed. */
export function selectMode(
  chat: ChatController,
  modes: ProjectModes,
  catalog: ModelCatalog,
  id: string,
): void {
  chat.shown.choices.selectMode(id);
  const model = modelNamed(modes.find(id).models ?? [], catalog.state.models);
  if (model) chat.shown.choices.selectModel(model.id);
}
