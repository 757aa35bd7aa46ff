import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RelayModels } from '../../chat/models/relayModels.ts';
import type { Memory } from '../../settings/memory.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { type Replacement, writeReplacement } from '../../chat/editorRequests/inlineEdit.ts';
import { fitInstructions, mostInstructionBytes } from '../../chat/instructions/sentInstructions.ts';
import { protectionMessage } from '../../tools/policy/protectionMessage.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import { readChatOptions, type Settings } from '../settings.ts';
import { createPrompt } from '../window/createPrompt.ts';
import { type DocumentPart, EditRefused } from './documentPart.ts';
import type { InlineEditRecord } from '../../chat/edits/inlineEditRecord.ts';
import { confirmText } from '../ui/modals.ts';
import type { Notifications } from '../ui/notifications.ts';

export interface AskedEdit {
  file: GrantedFile;
  model: string;
  instruction: string;
  earlier: string | undefined;
}

export interface RewritingDependencies {
  models: Pick<RelayModels, 'ask'>;
  memory: Pick<Memory, 'instructionsOff' | 'isActiveEditorOff'>;
  settings: Settings;
  tools(): Promise<Pick<WorkspaceTools, 'dependencies'>>;
  notifications: Notifications;
}

type Rewritten = 'edited' | 'unchanged' | 'cancelled' | 'stale' | 'unusable' | 'refused';

interface Lines {
  count: number;
  text(): string;
}

/** The answer to a request, written into its part while it comes. Whatever ends it early puts the old text back. */
export class RewritingAnswer {
  /** False for what the user is asked about: it is shown as a whole first. */
  private isSteppable = true;
  private latest: Lines | undefined;
  private stepping: Promise<void> | undefined;
  private soFar = () => '';
  private readonly ending = new AbortController();

  constructor(
    private readonly deps: RewritingDependencies,
    private readonly asked: AskedEdit,
    private readonly part: DocumentPart,
    private readonly record: InlineEditRecord,
  ) {}

  /** Rejects if the model fails, and on abort, with the old text in place. */
  async write(signal: AbortSignal, report: (lines: number) => void): Promise<Rewritten> {
    const { part, ending } = this;
    const listening = part.onDidChange(() => ending.abort());
    const either = AbortSignal.any([signal, ending.signal]);
    try {
      const replacement = await this.ask(either, report);
      await this.stepping;
      either.throwIfAborted();
      return await this.finish(replacement);
    } catch (error) {
      return await this.fail(ending.signal.aborted ? ending.signal.reason : error);
    } finally {
      listening.dispose();
    }
  }

  private async ask(signal: AbortSignal, report: (lines: number) => void): Promise<Replacement> {
    const { models, memory, settings, tools } = this.deps;
    const { file, model, instruction, earlier } = this.asked;
    const { instructions } = createPrompt(await tools(), memory, settings);
    const found = [...(await instructions.ofWorkspace()), ...(await instructions.of([file.shown]))];
    const off = new Set(instructions.off());
    const files = fitInstructions(
      found.filter(({ path }) => !off.has(path)),
      mostInstructionBytes,
    );
    const { stream, instructions: userInstructions } = readChatOptions(settings);
    const { start, end } = this.part.place;
    const text = this.part.document.getText();
    return writeReplacement(
      models.ask,
      { path: file.shown, text, start, end, instruction, earlier, userInstructions, files },
      { model, stream },
      signal,
      (count, lines) => {
        report(count);
        this.show({ count, text: lines });
      },
    );
  }

  private show(lines: Lines): void {
    this.soFar = () => lines.text();
    this.latest = lines;
    this.stepping ??= this.showLatest()
      .catch((error: unknown) => this.ending.abort(error))
      .finally(() => (this.stepping = undefined));
  }

  private async showLatest(): Promise<void> {
    while (this.latest && !this.ending.signal.aborted) {
      const { count, text } = this.latest;
      this.latest = undefined;
      if (await this.mayShow()) await this.part.showLines(text(), count);
    }
  }

  private async mayShow(): Promise<boolean> {
    const { part, record, asked, deps } = this;
    // Elsewhere each step would have to be undone by itself.
    if (!this.isSteppable || !part.isInEditor) return false;
    if (part.isRewritten) return true;
    const { policy } = (await deps.tools()).dependencies;
    const judged = await policy.recheck(asked.file);
    this.isSteppable = judged.isAllowed && !judged.protection;
    if (this.isSteppable) await record.begin(part.textBefore);
    return this.isSteppable;
  }

  private async finish(replacement: Replacement): Promise<Rewritten> {
    const { part, record, asked } = this;
    if ('problem' in replacement) {
      this.soFar = () => replacement.answer;
      return this.giveUp('unusable', replacement.problem);
    }
    const { text } = replacement;
    this.soFar = () => text;
    if (text === part.original.replaceAll('\r\n', '\n')) return this.giveUp('unchanged');
    const refused = await this.refusal(text);
    if (refused) return this.giveUp(refused.result, refused.why);
    await record.begin(part.textBefore);
    if (!(await part.replace(text))) return this.stale();
    const before = part.textBefore;
    await record.prepare(before);
    const isSaved = await part.save();
    await record.made(before, part.document.getText());
    if (!isSaved)
      void this.deps.notifications.warning(
        l10n.t("{0} was edited, but couldn't be saved.", asked.file.shown),
      );
    return 'edited';
  }

  /** Settings may have protected or blocked the file during the request or the question. */
  private async refusal(text: string): Promise<{ result: Rewritten; why?: string } | undefined> {
    const { policy } = (await this.deps.tools()).dependencies;
    let judged = await policy.recheck(this.asked.file);
    if (judged.isAllowed && judged.protection) {
      const question = protectionMessage(judged.protection);
      if (!(await confirmText(question, l10n.t('Edit'), text))) return { result: 'cancelled' };
      judged = await policy.recheck(this.asked.file);
    }
    return judged.isAllowed ? undefined : { result: 'refused', why: judged.forUser };
  }

  private async fail(error: unknown): Promise<Rewritten> {
    this.latest = undefined;
    await this.stepping;
    if (this.part.isChanged) return this.stale();
    if (!(error instanceof EditRefused)) {
      await this.giveUp('cancelled');
      throw error;
    }
    const why = l10n.t("Couldn't edit {0}: {1}", this.asked.file.shown, error.message);
    return this.giveUp('stale', why);
  }

  private stale(): Promise<Rewritten> {
    const { shown } = this.asked.file;
    return this.giveUp(
      'stale',
      l10n.t("{0} changed while the model was answering, so it wasn't edited.", shown),
    );
  }

  /** Puts the old text back and says why, with what the model wrote for copying. */
  private async giveUp(result: Rewritten, why?: string): Promise<Rewritten> {
    // If it fails, the edit stays begun, so that the next window offers to undo what is in the file.
    await this.part.restore();
    this.record.notMade();
    if (why === undefined) return result;
    const answer = this.soFar();
    const copy = l10n.t('Copy Answer');
    void this.deps.notifications.warning(why, ...(answer === '' ? [] : [copy])).then((pressed) => {
      if (pressed === copy) void vscode.env.clipboard.writeText(answer);
    });
    return result;
  }
}
