import * as l10n from '@vscode/l10n';
import type { OutgoingMessage, PromptChoices } from '../chat/conversation/items.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import { isBuiltInModeId, type Mode } from '../chat/modes/mode.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import {
  editorVariablesOf,
  expandPrompt,
  inputsOf,
  type PromptFile,
  type PromptInput,
} from '../chat/project/promptFiles.ts';
import type { MentionOption } from '../shared/attachments.ts';
import { modelNamed } from '../chat/modes/selectMode.ts';

export interface PromptHost {
  read(): Promise<readonly PromptFile[]>;
  /** Values of editor variables; undefined where none fits. */
  editorVariables(names: readonly string[]): Promise<Readonly<Record<string, string | undefined>>>;
  /** Asks the user for inputs; undefined when dismissed. */
  fill(title: string, inputs: readonly PromptInput[]): Promise<Readonly<Record<string, string>> | undefined>;
}

/** Prompt files in the panel: offered after a slash, expanded when the message is sent. */
export class PromptController {
  constructor(
    private readonly modes: ProjectModes,
    private readonly catalog: ModelCatalog,
    private readonly host: PromptHost,
  ) {}

  async find(query: string): Promise<MentionOption[]> {
    const prompts = await this.host.read();
    const wanted = query.toLowerCase();
    return prompts
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .toSorted(
        (a, b) =>
          Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)),
      )
      .map(({ name, file, description, argumentHint, problem }) => {
        const detail = [file, argumentHint, description, problem].filter(Boolean).join(' · ');
        return { id: `prompt:${name}`, kind: 'prompt', label: name, detail };
      });
  }

  /** Expands a prompt's name; undefined if inputs were dismissed. Throws a user-facing error if it can't be sent. */
  async prepare(text: string): Promise<OutgoingMessage | undefined> {
    const [, name, rest = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
    const prompt =
      name === undefined ? undefined : (await this.host.read()).find((each) => each.name === name);
    if (!prompt) return { text };
    const inputs = inputsOf(prompt.body);
    const filled = inputs.length > 0 ? await this.host.fill(`/${prompt.name}`, inputs) : {};
    if (!filled) return undefined;
    const editor = await this.host.editorVariables(editorVariablesOf(prompt.body));
    const missing = Object.keys(editor).find((each) => editor[each] === undefined);
    if (missing !== undefined) {
      throw new Error(
        l10n.t(
          '"/{0}" refers to {1}. Open a file, or select text, and send it again.',
          prompt.name,
          `\${${missing}}`,
        ),
      );
    }
    const body = expandPrompt(prompt.body, { inputs: filled, editor });
    return {
      text: [body, rest.trim()].filter(Boolean).join('\n\n'),
      typed: text,
      ...(await this.choicesOf(prompt)),
    };
  }

  /** A missing mode or model does not stop the message: the choice in force shows below the message box. */
  private async choicesOf({ agent, models, tools }: PromptFile): Promise<PromptChoices> {
    const mode = agent === undefined ? undefined : await this.modeNamed(agent);
    const listed = this.catalog.state.models;
    const model = modelNamed(models, listed) ?? modelNamed(mode?.models ?? [], listed);
    return {
      ...(tools && { tools }),
      ...(mode && { modeId: mode.id }),
      ...(model && { modelId: model.id }),
    };
  }

  private async modeNamed(agent: string): Promise<Mode | undefined> {
    await this.modes.refresh();
    const wanted = agent.toLowerCase() === 'edit' ? 'agent' : agent.toLowerCase();
    return this.modes.all.find(({ id, projectName }) =>
      isBuiltInModeId(id) ? id === wanted : projectName?.toLowerCase() === wanted,
    );
  }
}
