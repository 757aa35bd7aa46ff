import type { ChatController } from '../chatController.ts';
import type { ModelCatalog } from '../models/modelCatalog.ts';
import { isBuiltInModeId, type Mode } from './mode.ts';
import type { ProjectModes } from './projectModes.ts';
import type { Model } from '../../relay/messages.ts';

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

export function modeNamed({ all }: Pick<ProjectModes, 'all'>, agent: string): Mode | undefined {
  const wanted = agent.toLowerCase() === 'edit' ? 'agent' : agent.toLowerCase();
  return all.find(({ id, projectName }) =>
    isBuiltInModeId(id) ? id === wanted : projectName?.toLowerCase() === wanted,
  );
}

/** Accepts other assistants' names: "Claude Sonnet 5 (copilot)" for `claude-sonnet-5`. */
export function modelNamed(names: readonly string[], listed: readonly Model[]): Model | undefined {
  for (const name of names) {
    const wanted = plain(name.replace(/\s*\([^)]*\)\s*$/, ''));
    const found = listed.find(({ id, name: shown }) => plain(id) === wanted || plain(shown ?? id) === wanted);
    if (found) return found;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '-');
}
