import * as l10n from '@vscode/l10n';
import type { AnswerSources } from '../../chat/grounding/answerSources.ts';
import { appIdOf } from '../../apps/appModelId.ts';
import { isFiltered } from '../../chat/context/toMessages.ts';
import {
  canContinue,
  type AnswerItem,
  type ChatItem,
  type RequestUsage,
  type SearchItem,
  type SummaryItem,
  type UserItem,
} from '../../chat/conversation/items.ts';
import type { AnswerEnd } from '../../chat/store/events.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import { sumOfUsage } from '../../chat/conversation/turnUsage.ts';
import { toShownSum } from './shownUsage.ts';
import type { Entry, EntryEnd, Version } from '../../shared/transcript.ts';
import type { AppPart } from '../../chat/apps/appPart.ts';
import type { AnswerApp } from '../../shared/apps.ts';
import { sentChipId, toChip } from './presentAttachment.ts';
import { presentFailure } from './presentFailure.ts';
import { toShownPictures } from '../pictureController.ts';
import { noticeOf } from './presentNotice.ts';
import { toRestorationEntry } from './presentRestoration.ts';
import { toCitable, toSources } from './presentSources.ts';
import { toEditsEntry, toToolEntry } from './presentTool.ts';
import { assertNever } from '../../base/errors/errors.ts';

/** Renders a conversation for the screen, in the user's language. Pure. */

export interface Surroundings {
  modelName(id: string): string;
  sources(): AnswerSources;
  hasPlan(): boolean;
  isMostlyQuestion(): boolean;
  requests(): readonly RequestUsage[] | undefined;
  versionOf(itemId: string): Version | undefined;
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
  const { id, text, reasoning, reasoningMs, end, app, pictures } = item;
  const sources = surroundings.sources();
  const citable = toCitable(sources);
  const version = surroundings.versionOf(id);
  return {
    ...{ type: 'assistant', id, model: surroundings.modelName(item.model), text, reasoning },
    ...(reasoningMs !== undefined && { reasoningMs }),
    ...(version && { version }),
    ...(citable.length > 0 && { citable }),
    ...(app && app.steps.length > 0 && { steps: [...app.steps] }),
    ...(pictures && { pictures: toShownPictures(pictures) }),
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
  const { sources, searched, failures } = findings;
  const state = failures.length === 0 ? 'done' : searched.length > 0 ? 'incomplete' : 'failed';
  return { type: 'search', id, query, state, found: sources.length, durationMs, sent };
}

function toSummaryEntry({ id, text, problem = '' }: SummaryItem): Entry {
  if (text) {
    const said = l10n.t("Earlier messages are sent as a summary, to fit the model's context.");
    return { type: 'notice', id, text: said, detail: text };
  }
  const said = l10n.t(
    "Earlier messages are omitted to fit the context window, because they couldn't be summarized: {0}",
    problem,
  );
  return { type: 'notice', id, text: said };
}

export interface EndSurroundings {
  sources: AnswerSources;
  requests: readonly RequestUsage[] | undefined;
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
  const appId = appIdOf(model);
  const isByApp = appId !== undefined;
  // An app's platform keeps its own conversation.
  const isLeftOut = !isByApp && isFiltered(item);
  const listed = end.reason === 'called' || !text ? [] : toSources(sources, text, isByApp);
  return {
    ...(listed.length > 0 && { sources: listed }),
    ...(end.reason === 'called' && { isStep: true }),
    ...(note && { note }),
    ...(end.failure && { failure: presentFailure(end.failure, { appId, isMostlyQuestion, isLeftOut }) }),
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

export function toAnswerApp({ files, questions, messageId, rating, annotation, awaits }: AppPart): AnswerApp {
  return {
    files: [...files],
    questions: [...questions],
    canRate: messageId !== undefined,
    ...(rating && { rating }),
    ...(annotation && { annotation }),
    ...(awaits && { awaits: { titles: [...awaits.titles], place: awaits.place } }),
  };
}
