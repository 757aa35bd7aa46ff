import * as l10n from '@vscode/l10n';
import { oneWord } from '../base/text/oneLine.ts';
import type { AttachmentSource } from '../chat/attachments/attachment.ts';
import type { OutgoingMessage, PromptChoices } from '../chat/conversation/items.ts';
import type { CodeRequest } from '../chat/editorRequests/codeRequests.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import type { ProjectModes } from '../chat/modes/projectModes.ts';
import { modelNamed, modeNamed } from '../chat/modes/selectMode.ts';
import {
  editorVariablesOf,
  expandPrompt,
  inputsOf,
  type PromptFile,
  type PromptInput,
} from '../chat/project/promptFiles.ts';
import type { MentionOption } from '../shared/attachments.ts';

export interface CodeQuestion {
  text: string;
  sources: readonly AttachmentSource[];
}

export interface OfferedSkill {
  name: string;
  description?: string;
  argumentHint?: string;
  folder: string;
  text(): Promise<string>;
}

export interface PromptHost {
  prompts(): Promise<readonly PromptFile[]>;
  skills(): Promise<readonly OfferedSkill[]>;
  questionFor(request: CodeRequest): Promise<CodeQuestion | undefined>;
  run(action: SlashAction): Promise<unknown>;
  editorVariables(names: readonly string[]): Promise<Readonly<Record<string, string | undefined>>>;
  fill(title: string, inputs: readonly PromptInput[]): Promise<Readonly<Record<string, string>> | undefined>;
}

type Entry = { name: string; detail: string } & (
  | { command: SlashCommand }
  | { prompt: PromptFile }
  | { skill: OfferedSkill }
);

export interface PreparedMessage {
  message: OutgoingMessage;
  sources?: readonly AttachmentSource[];
}

export interface SlashMessage {
  action?: SlashAction;
  /** Expands the name; undefined if dismissed. Throws a user-facing error. `hasAttachments`: not about open code. */
  prepare(hasAttachments: boolean): Promise<PreparedMessage | undefined>;
}

export class PromptController {
  constructor(
    private readonly modes: ProjectModes,
    private readonly catalog: ModelCatalog,
    private readonly host: PromptHost,
  ) {}

  async find(query: string): Promise<MentionOption[]> {
    const wanted = query.toLowerCase();
    return [...(await this.entries()).values()]
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .toSorted(
        (a, b) =>
          Number(b.name.toLowerCase().startsWith(wanted)) - Number(a.name.toLowerCase().startsWith(wanted)),
      )
      .map(({ name, detail }) => ({ id: `prompt:${name}`, kind: 'prompt', label: name, detail }));
  }

  async read(text: string): Promise<SlashMessage> {
    const [, name = '', rest = ''] = /^\/(\S+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
    const entry = name === '' ? undefined : (await this.entries()).get(name);
    const action = entry && 'command' in entry && rest === '' ? entry.command.action : undefined;
    return {
      ...(action && { action }),
      prepare: (hasAttachments) => this.prepare({ text, name, rest, entry }, hasAttachments),
    };
  }

  run(action: SlashAction): Promise<unknown> {
    return this.host.run(action);
  }

  private async prepare(
    { text, name, rest, entry }: { text: string; name: string; rest: string; entry: Entry | undefined },
    hasAttachments: boolean,
  ): Promise<PreparedMessage | undefined> {
    if (!entry) return { message: { text } };
    const whole = (body: string) => ({ text: [body, rest.trim()].filter(Boolean).join('\n\n'), typed: text });
    if ('skill' in entry) return { message: whole(await entry.skill.text()) };
    if ('prompt' in entry) {
      const body = await this.expand(entry);
      return body === undefined
        ? undefined
        : { message: { ...whole(body), ...(await this.choicesOf(entry.prompt)) } };
    }
    const { request } = entry.command;
    if (!request) return { message: { text } };
    const question = await this.host.questionFor(request);
    if (!question && !hasAttachments) {
      throw new Error(l10n.t('Open a file, or attach the code. Then send "/{0}" again.', name));
    }
    // Without code, its words still ask about what is attached.
    const { text: asked, sources } = question ?? { text: entry.detail, sources: [] };
    return { message: whole(asked), sources: hasAttachments ? [] : sources };
  }

  /** By unique name, in display order. A command of ours gives way to a file of the same name. */
  private async entries(): Promise<ReadonlyMap<string, Entry>> {
    const entries = new Map<string, Entry>();
    const add = (names: readonly string[], toEntry: (name: string) => Entry) => {
      const name = names.map(oneWord).find((each) => !entries.has(each));
      if (name !== undefined) entries.set(name, toEntry(name));
    };
    const [prompts, skills] = await Promise.all([this.host.prompts(), this.host.skills()]);
    for (const prompt of prompts) {
      const { file, argumentHint, description, problem } = prompt;
      const detail = [argumentHint, description, problem, file].filter(Boolean).join(' · ');
      add([prompt.name, file], (name) => ({ name, detail, prompt }));
    }
    for (const skill of skills) {
      const { folder, argumentHint, description } = skill;
      const detail = [argumentHint, description, folder].filter(Boolean).join(' · ');
      add([skill.name, folder], (name) => ({ name, detail, skill }));
    }
    for (const command of slashCommands()) {
      add([command.name], (name) => ({ name, detail: command.description, command }));
    }
    return entries;
  }

  private async expand({ name, prompt: { body } }: Extract<Entry, { prompt: PromptFile }>) {
    const inputs = inputsOf(body);
    const filled = inputs.length > 0 ? await this.host.fill(`/${name}`, inputs) : {};
    if (!filled) return undefined;
    const editor = await this.host.editorVariables(editorVariablesOf(body));
    const missing = Object.keys(editor).find((each) => editor[each] === undefined);
    if (missing !== undefined) {
      throw new Error(
        l10n.t(
          '"/{0}" refers to {1}. Open a file, or select text, and send it again.',
          name,
          `\${${missing}}`,
        ),
      );
    }
    return expandPrompt(body, { inputs: filled, editor });
  }

  /** A missing mode or model doesn't stop the message: the effective choice is shown below the message box. */
  private async choicesOf({ agent, models, tools }: PromptFile): Promise<PromptChoices> {
    if (agent !== undefined) await this.modes.refresh();
    const mode = agent === undefined ? undefined : modeNamed(this.modes, agent);
    const listed = this.catalog.state.models;
    const model = modelNamed(models, listed) ?? modelNamed(mode?.models ?? [], listed);
    return {
      ...(tools && { tools }),
      ...(mode && { modeId: mode.id }),
      ...(model && { modelId: model.id }),
    };
  }
}

type SlashAction = 'generateCommitMessage' | 'compactConversation' | 'newChat' | 'exportChat';

interface SlashCommand {
  name: string;
  description: string;
  request?: CodeRequest;
  action?: SlashAction;
}

function slashCommands(): readonly SlashCommand[] {
  return [
    {
      name: 'explain',
      description: l10n.t('Explain the selected code'),
      request: 'explainSelection',
    },
    { name: 'fix', description: l10n.t('Fix the selected code and its problems'), request: 'fixSelection' },
    { name: 'tests', description: l10n.t('Write tests for the selected code'), request: 'generateTests' },
    { name: 'docs', description: l10n.t('Document the selected code'), request: 'documentSelection' },
    { name: 'review', description: l10n.t('Review your changes'), request: 'reviewChanges' },
    { name: 'commit', description: l10n.t('Write a commit message'), action: 'generateCommitMessage' },
    { name: 'compact', description: l10n.t('Compact this conversation'), action: 'compactConversation' },
    { name: 'new', description: l10n.t('Begin a new conversation'), action: 'newChat' },
    { name: 'export', description: l10n.t('Export this conversation'), action: 'exportChat' },
  ];
}
