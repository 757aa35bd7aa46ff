import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lazy } from '../../base/async/lazy.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asObject, asText } from '../../base/json.ts';
import { suggestionAsker } from '../../chat/suggestions/askSuggestion.ts';
import { reach, type SuggestionPlace } from '../../chat/suggestions/suggestionPlace.ts';
import { Suggestions } from '../../chat/suggestions/suggestions.ts';
import { closedAfter } from '../../chat/suggestions/trimSuggestion.ts';
import type { SuggestionCommand } from '../ids.ts';
import { attachmentHost } from '../panel/attachmentHost.ts';
import { toAbortSignal } from '../ui/cancellation.ts';
import type { SuggestionParts } from './chooseSuggestionModel.ts';
import { SuggestionStatusBar } from './suggestionStatusBar.ts';

const section = 'switchboard';

export class SuggestionsHost implements Disposable {
  private readonly following: vscode.Disposable;
  private readonly statusBar = new SuggestionStatusBar();
  private shown: DisposableStore | undefined;
  private model = '';
  private suggestions: (() => Promise<Suggestions>) | undefined;
  private started: Suggestions | undefined;
  private isPaused = false;
  private isTested = true;

  constructor(private readonly parts: () => Promise<SuggestionParts>) {
    this.following = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(section)) this.follow();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.follow()),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
    );
    // The status bar comes before the parts of the window.
    l10n.config({ contents: vscode.l10n.bundle ?? {} });
    this.follow();
  }

  dispose(): void {
    this.following.dispose();
    this.stop();
  }

  async run(command: SuggestionCommand, [languageId]: readonly unknown[]): Promise<unknown> {
    switch (command) {
      case 'chooseSuggestionModel':
        return this.chooseModel();
      case 'pauseSuggestions':
        return this.pauseOrResume();
      case 'toggleSuggestionLanguage':
        return this.toggleLanguage(
          typeof languageId === 'string' ? languageId : vscode.window.activeTextEditor?.document.languageId,
        );
    }
  }

  /** Settings are the user's own: their scope keeps workspaces out. */
  private follow(): void {
    const model = vscode.workspace.isTrusted ? (asText(this.setting('model'))?.trim() ?? '') : '';
    if (model !== this.model) {
      this.stop();
      this.model = model;
      if (model) this.start(model);
    }
    this.started?.retry();
    this.show();
  }

  private start(model: string): void {
    const shown = new DisposableStore();
    this.shown = shown;
    this.isPaused = false;
    this.isTested = true;
    this.suggestions = lazy(async () => {
      const { relays, clients, tools, memory, log } = await this.parts();
      this.isTested = memory.suggestionModel === model;
      const suggestions = new Suggestions({
        ask: suggestionAsker(relays, clients, model),
        mayRead: async (path) => (await tools()).dependencies.policy.mayRead(path),
        log,
      });
      shown.add(suggestions.onDidChange(() => this.show()));
      shown.add(relays.onDidChange(() => suggestions.retry()));
      shown.add({ dispose: () => suggestions.stop() });
      this.started = suggestions;
      this.show();
      return suggestions;
    });
    const { provideInlineCompletionItems } = this;
    shown.add(
      vscode.languages.registerInlineCompletionItemProvider(
        { pattern: '**' },
        { provideInlineCompletionItems: provideInlineCompletionItems.bind(this) },
      ),
    );
  }

  private stop(): void {
    this.shown?.dispose();
    this.shown = this.suggestions = this.started = undefined;
    this.statusBar.dispose();
    this.model = '';
  }

  private async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    { triggerKind, selectedCompletionInfo }: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[]> {
    if (this.isPaused || !this.isOn(document.languageId) || !this.suggestions) return [];
    const caret = placeAt(document, position, selectedCompletionInfo);
    if (!caret) return [];
    const suggestions = await this.suggestions();
    if (!this.isTested || token.isCancellationRequested) return [];
    const isInvoked = triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    const text = await suggestions.suggest(caret.place, toAbortSignal(token), isInvoked);
    if (text === undefined || token.isCancellationRequested) return [];
    return [itemAt(caret, text)];
  }

  private show(): void {
    if (!this.shown) return;
    const document = vscode.window.activeTextEditor?.document;
    const { model, isPaused, isTested, started } = this;
    this.statusBar.show({
      ...{ model, isPaused, isTested },
      isAsking: started?.isAsking ?? false,
      failure: started?.failure,
      ...(document && { language: { id: document.languageId, isOn: this.isOn(document.languageId) } }),
    });
  }

  private async chooseModel(): Promise<string | undefined> {
    const { chooseSuggestionModel } = await import('./chooseSuggestionModel.ts');
    const chosen = await chooseSuggestionModel(await this.parts(), this.model);
    if (chosen === undefined) return undefined;
    const configuration = vscode.workspace.getConfiguration(section);
    await configuration.update('completions.model', chosen || undefined, vscode.ConfigurationTarget.Global);
    // The model may have been named already, but not tested.
    this.isTested = true;
    this.isPaused = false;
    this.show();
    return chosen;
  }

  /** True if suggestions are on now. After a failure, the next key asks again. */
  private pauseOrResume(): boolean {
    if (this.started?.failure && !this.isPaused) {
      this.started.retry();
      return true;
    }
    this.isPaused = !this.isPaused;
    this.started?.stop();
    this.show();
    return !this.isPaused;
  }

  private async toggleLanguage(id: string | undefined): Promise<boolean | undefined> {
    if (id === undefined) return undefined;
    const isOn = !this.isOn(id);
    const configuration = vscode.workspace.getConfiguration(section);
    const { globalValue } = configuration.inspect('completions.languages') ?? {};
    const languages = { ...asObject(globalValue), [id]: isOn };
    await configuration.update('completions.languages', languages, vscode.ConfigurationTarget.Global);
    return isOn;
  }

  private isOn(languageId: string): boolean {
    return asObject(this.setting('languages'))?.[languageId] !== false;
  }

  private setting(name: 'model' | 'languages'): unknown {
    return vscode.workspace.getConfiguration(section).get(`completions.${name}`);
  }
}

interface Caret {
  place: SuggestionPlace;
  /** The part of the selected completion that isn't in the document yet. */
  typed: string;
  range: vscode.Range;
}

/** The caret's place, as if the selected completion were inserted; undefined outside of files of the workspace. */
function placeAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  selected: vscode.SelectedCompletionInfo | undefined,
): Caret | undefined {
  const path = attachmentHost.pathOf(document.uri.toString());
  if (path === undefined) return undefined;
  const range = selected?.range ?? new vscode.Range(position, position);
  const typed = selected?.text ?? '';
  const textBetween = (start: vscode.Position, end: vscode.Position) =>
    document.getText(new vscode.Range(start, end)).replaceAll('\r\n', '\n');
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const before = textBetween(document.positionAt(Math.max(0, from - reach)), range.start) + typed;
  const after = textBetween(range.end, document.positionAt(to + reach));
  const lineBreaks = document.eol === vscode.EndOfLine.CRLF ? range.start.line : 0;
  const offset = from - lineBreaks + typed.length;
  return { place: { path, text: before + after, caret: before.length, offset }, typed, range };
}

function itemAt({ place, typed, range }: Caret, text: string): vscode.InlineCompletionItem {
  // The editor wants the selected completion's own range.
  const closed = typed === '' ? closedAfter(text, place.text.slice(place.caret)) : 0;
  const replaced = range.with({ end: range.end.translate(0, closed) });
  return new vscode.InlineCompletionItem(typed + text, replaced);
}
