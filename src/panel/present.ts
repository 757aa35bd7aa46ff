import * as l10n from '@vscode/l10n';
import { assertNever } from '../base/assertNever.ts';
import type { AnswerSources } from '../chat/grounding/answerSources.ts';
import { appIdOf } from '../apps/appModelId.ts';
import { canContinue } from '../chat/canContinue.ts';
import type { AnswerItem, ChatItem, RequestUsage, SearchItem, SummaryItem, UserItem } from '../chat/items.ts';
import type { AnswerEnd } from '../chat/events.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import { sumOfUsage } from '../chat/turnUsage.ts';
import { toShownSum } from './presentUsage.ts';
import type { Entry, EntryEnd, Version } from '../shared/transcript.ts';
import { toAnswerApp } from './presentApp.ts';
import { sentChipId, toChip } from './presentAttachment.ts';
import { presentFailure } from './presentFailure.ts';
import { noticeOf } from './presentNotice.ts';
import { toRestorationEntry } from './presentRestoration.ts';
import { toCitable, toSources } from './presentSources.ts';
import { toEditsEntry, toToolEntry } from './presentTool.ts';

/** Conversation → screen, pure. Everything here is in the user's language. */

/** What an entry shows beside its item. */
export interface Surroundings {
  modelName(id: string): string;
  /** What it can cite, of an answer. */
  sources(): AnswerSources;
  /** Whether it is an answer that ends with a plan. */
  hasPlan(): boolean;
  /** Most of what the answer was asked with is the newest message. */
  isMostlyQuestion(): boolean;
  /** What the turn cost of which it is the last answer. */
  requests(): readonly RequestUsage[] | undefined;
  /** Of a message or an answer that has several. */
  versionOf(itemId: string): Version | undefined;
  /** What the user is asked about this call, while it waits for the answer. */
  questionOf(callId: string): Question | undefined;
}

export function toEntry(item: ChatItem, surroundings: Surroundings): Entry {
  switch (item.type) {
    case 'user':
      return toUserEntry(item, surroundings);
    case 'answer':
      return toAssistantEntry(item, surroundings);
    case 'tool':
      return toToolEntry(item, surroundings.questionOf(item.id));
    case 'search':
      return toSearchEntry(item);
    case 'edits':
      return toEditsEntry(item);
    case 'notice':
      return { type: 'notice', id: item.id, ...noticeOf(item) };
    case 'summary':
      return toSummaryEntry(item);
    case 'restoration':
      return toRestorationEntry(item);
    default:
      return assertNever(item);
  }
}

function toUserEntry({ id, text, attachments }: UserItem, { versionOf }: Surroundings): Entry {
  const version = versionOf(id);
  const chips = attachments?.map((attachment, index) => toChip(sentChipId(id, index), attachment));
  return { type: 'user', id, text, ...(version && { version }), ...(chips && { attachments: chips }) };
}

function toAssistantEntry(item: AnswerItem, surroundings: Surroundings): Entry {
  const { id, text, reasoning, end, app } = item;
  const sources = surroundings.sources();
  const citable = toCitable(sources);
  const version = surroundings.versionOf(id);
  return {
    ...{ type: 'assistant', id, model: surroundings.modelName(item.model), text, reasoning },
    ...(version && { version }),
    ...(citable.length > 0 && { citable }),
    ...(app && app.steps.length > 0 && { steps: [...app.steps] }),
    ...(app && { app: toAnswerApp(app) }),
    ...(end && {
      end: toEntryEnd(item, end, {
        sources,
        requests: surroundings.requests(),
        hasPlan: surroundings.hasPlan(),
        isMostlyQuestion: () => surroundings.isMostlyQuestion(),
      }),
    }),
  };
}

function toSearchEntry({ id, outcome }: SearchItem): Entry {
  const { query, content: sent, findings, durationMs } = outcome;
  const state = findings.searched.length > 0 ? 'done' : 'failed';
  return { type: 'search', id, query, state, found: findings.sources.length, durationMs, sent };
}

/** The marker above which the model has not the messages themselves. */
function toSummaryEntry({ id, text, problem = '' }: SummaryItem): Entry {
  if (text) {
    const said = l10n.t("Earlier messages are sent as a summary, to fit the model's context.");
    return { type: 'notice', id, text: said, detail: text };
  }
  const said = l10n.t(
    "Earlier messages are omitted to fit the context window, because they couldn't be summarised: {0}",
    problem,
  );
  return { type: 'notice', id, text: said };
}

export interface EndSurroundings {
  /** What the answer can cite. */
  sources: AnswerSources;
  /** Of the requests of its turn, if it is the last answer of one. */
  requests: readonly RequestUsage[] | undefined;
  /** It ends with a plan. */
  hasPlan?: boolean;
  isMostlyQuestion?: () => boolean;
}

export function toEntryEnd(
  item: AnswerItem,
  end: AnswerEnd,
  { sources, requests, hasPlan = false, isMostlyQuestion = () => false }: EndSurroundings,
): EntryEnd {
  const { model, text } = item;
  const note = noteOf(end);
  const isByApp = appIdOf(model) !== undefined;
  const listed = end.reason === 'called' || !text ? [] : toSources(sources, text, isByApp);
  return {
    ...(listed.length > 0 && { sources: listed }),
    ...(end.reason === 'called' && { isStep: true }),
    ...(note && { note }),
    ...(end.failure && { failure: presentFailure(end.failure, { isByApp, isMostlyQuestion }) }),
    ...(requests && { usage: toShownUsage(requests) }),
    ...(hasPlan && { hasPlan }),
    ...(canContinue(item) && { canContinue: true }),
  };
}

function toShownUsage(requests: readonly RequestUsage[]): EntryEnd['usage'] {
  return {
    total: toShownSum(sumOfUsage(requests)),
    ...(requests.length > 1 && {
      requests: requests.map((request) => ({
        ...toShownSum(sumOfUsage([request])),
        ...(request.isSummary && { isSummary: true }),
      })),
    }),
  };
}

function noteOf(end: AnswerEnd): string | undefined {
  switch (end.reason) {
    case 'stopped':
      return end.mayBeBilled
        ? l10n.t('You stopped this answer. It was not streamed, so the provider may still bill all of it.')
        : l10n.t('You stopped this answer.');
    case 'length':
      return l10n.t('The answer reached the output limit. Continue, or raise "switchboard.chat.maxTokens".');
    case 'filtered':
      return l10n.t(
        "The model's content filter ended this answer. Rephrase your message, or choose another model.",
      );
    case 'interrupted':
      return l10n.t('The editor was closed during this answer. The partial answer was kept.');
    case 'answered':
    case 'called':
    case 'failed':
      return undefined;
  }
}
