import type { ChatController } from '../chatController.ts';
import type { ModelCatalog } from '../modelCatalog.ts';
import { modelNamed } from './modelNamed.ts';
import type { ProjectModes } from './projectModes.ts';

/** The user chose a mode: it holds from the next call on, and a model that it names answers, if that is listed. */
export function selectMode(
  chat: ChatController,
  modes: ProjectModes,
  catalog: ModelCatalog,
  id: string,
): void {
  chat.selectMode(id);
  const model = modelNamed(modes.find(id).models ?? [], catalog.state.models);
  if (model) chat.selectModel(model.id);
}
