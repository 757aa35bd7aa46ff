import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { causeText, type SwitchboardError } from '../../base/errors/errors.ts';
import type { Disposable } from '../../base/disposable.ts';
import { readModelId } from '../../relay/relayModelId.ts';
import { commandId, type SuggestionCommand } from '../ids.ts';
import { markdownText, StatusItem } from '../ui/statusItem.ts';

export interface SuggestionStatus {
  model: string;
  isPaused: boolean;
  isTested: boolean;
  isAsking: boolean;
  failure: SwitchboardError | undefined;
  language?: { id: string; isOn: boolean };
}

interface Shown {
  icon: string;
  text?: string;
  state: string;
  action: string;
  command: SuggestionCommand;
}

export class SuggestionStatusBar implements Disposable {
  private readonly item = new StatusItem('switchboard.suggestions', 98);

  show(status: SuggestionStatus): void {
    const { icon, text, state, action, command } = shownOf(status);
    this.item.show({
      ...{ name: l10n.t('Switchboard: Suggestions'), icon, ...(text && { text }) },
      label: l10n.t('Suggestions: {0}. {1}', state, action),
      tooltip: tooltipOf(status, state, action),
      command: commandId(command),
    });
  }

  dispose(): void {
    this.item.dispose();
  }
}

function shownOf({ isPaused, isTested, isAsking, failure, language }: SuggestionStatus): Shown {
  const pause = { command: 'pauseSuggestions', action: l10n.t('Pause') } as const;
  if (!isTested) {
    const text = l10n.t('Suggestions');
    return {
      ...{ icon: 'warning', text, state: l10n.t('the model is not tested yet') },
      ...{ command: 'chooseSuggestionModel', action: l10n.t('Choose Model…') },
    };
  }
  if (isPaused) {
    const text = l10n.t('Suggestions');
    return { ...pause, icon: 'debug-pause', text, state: l10n.t('paused'), action: l10n.t('Resume') };
  }
  if (failure) {
    const isSpent = failure.code === 'budget';
    const state = isSpent ? l10n.t('daily budget reached') : l10n.t('failed');
    return { ...pause, icon: 'warning', text: l10n.t('Suggestions'), state, action: l10n.t('Try Again') };
  }
  if (language && !language.isOn) {
    return { ...pause, icon: 'circle-slash', state: l10n.t('off for {0}', language.id) };
  }
  if (isAsking) return { ...pause, icon: 'loading~spin', state: l10n.t('waiting for the model') };
  return { ...pause, icon: 'sparkle', state: l10n.t('on') };
}

/** Model and failure are texts of others, so they are escaped; links run the three commands alone. */
function tooltipOf(status: SuggestionStatus, state: string, action: string): vscode.MarkdownString {
  const { model, failure, isTested, language } = status;
  const tooltip = new vscode.MarkdownString();
  const links: [label: string, command: SuggestionCommand, argument?: string][] = [
    ...(isTested ? [[action, 'pauseSuggestions'] as [string, SuggestionCommand]] : []),
    ...(language ? [toggleLink(language)] : []),
    [l10n.t('Choose Model…'), 'chooseSuggestionModel'],
  ];
  const paragraphs = [l10n.t('Suggestions: {0}', state), readModelId(model).id];
  if (failure && failure.code !== 'budget') {
    paragraphs.push([failure.message, causeText(failure)].filter(Boolean).join(' '));
  }
  for (const text of paragraphs) tooltip.appendMarkdown(`${markdownText(text)}\n\n`);
  const texts = links.map(([label, command, argument]) => {
    const query = argument === undefined ? '' : `?${encodeURIComponent(JSON.stringify([argument]))}`;
    return `[${label}](command:${commandId(command)}${query})`;
  });
  tooltip.appendMarkdown(texts.join(' · '));
  tooltip.isTrusted = { enabledCommands: links.map(([, command]) => commandId(command)) };
  return tooltip;
}

/** Ids of languages are an extension's text: those that could break out of a link are not shown in it. */
function toggleLink({
  id,
  isOn,
}: {
  id: string;
  isOn: boolean;
}): [label: string, command: SuggestionCommand, argument: string] {
  const name = /^[\w.+#-]{1,40}$/.test(id) ? id : l10n.t('this language');
  const label = isOn ? l10n.t('Turn off for {0}', name) : l10n.t('Turn on for {0}', name);
  return [label, 'toggleSuggestionLanguage', id];
}
