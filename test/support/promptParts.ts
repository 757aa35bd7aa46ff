import { RelayCatalog } from '../../src/chat/models/relayCatalog.ts';
import type { Mode } from '../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../src/chat/modes/projectModes.ts';
import type { PromptFile } from '../../src/chat/project/promptFiles.ts';
import { PromptController, type PromptHost } from '../../src/panel/promptController.ts';

export function promptParts(
  prompts: readonly PromptFile[] = [],
  host: Partial<PromptHost> = {},
  described: readonly Mode[] = [],
): PromptController {
  const models = [{ id: 'claude-sonnet-5', name: 'Sonnet' }];
  return new PromptController(
    new ProjectModes(
      () => 'agent',
      async () => described,
    ),
    new RelayCatalog({ listModels: async () => models, merge: () => models }),
    {
      prompts: async () => prompts,
      skills: async () => [],
      questionFor: async () => undefined,
      run: async () => undefined,
      editorVariables: async () => ({}),
      fill: async () => ({}),
      ...host,
    },
  );
}
