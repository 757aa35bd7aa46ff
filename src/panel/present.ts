import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../base/errors.ts';
import { assertNever } from '../base/assertNever.ts';
import type { AnswerSources } from '../chat/answerSources.ts';
import type {
  AnswerItem,
  ChatItem,
  EditsItem,
  NoticeItem,
  SearchItem,
  SummaryItem,
  ToolItem,
  UserItem,
} from '../chat/conversation.ts';
import type { AnswerEnd, RevertOutcome, ToolOutcome } from '../chat/events.ts';
import type { Model } from '../relay/messages.ts';
import type { Entry, EntryEnd, Failure, ModelOption, Remedy, ToolEnd } from '../shared/transcript.ts';
import { toChip } from './presentAttachment.ts';
import { toCitable, toSources } from './presentSources.ts';

/** Conversation → screen, pure. Everything here is in the person's language. */

/** What an entry shows beside its item. */
export interface Surroundings {
  modelName(id: string): string;
  /** What the answer with this id can cite. */
  sourcesOf(answerId: string): AnswerSources;
}

export function toEntry(item: ChatItem, surroundings: Surroundings): Entry {
  switch (item.type) {
    case 'user':
      return toUserEntry(item);
    case 'answer':
      return toAssistantEntry(item, surroundings);
    case 'tool':
      return toToolEntry(item);
    case 'search':
      return toSearchEntry(item);
    case 'edits':
      return toEditsEntry(item);
    case 'notice':
      return { type: 'notice', id: item.id, ...noticeOf(item) };
    case 'summary':
      return toSummaryEntry(item);
    default:
      return assertNever(item);
  }
}

function toUserEntry({ id, text, attachments }: UserItem): Entry {
  if (!attachments) return { type: 'user', id, text };
  const chips = attachments.map((attachment, index) => toChip(`${id}.${index}`, attachment));
  return { type: 'user', id, text, attachments: chips };
}

function toAssistantEntry(item: AnswerItem, { modelName, sourcesOf }: Surroundings): Entry {
  const { id, text, reasoning, end } = item;
  const sources = sourcesOf(id);
  const citable = toCitable(sources);
  return {
    ...{ type: 'assistant', id, model: modelName(item.model), text, reasoning },
    ...(citable.length > 0 && { citable }),
    ...(end && { end: toEntryEnd(end, text, sources) }),
  };
}

function toSearchEntry({ id, outcome }: SearchItem): Entry {
  const { query, content: sent, findings, durationMs } = outcome;
  const state = findings.searched.length > 0 ? 'done' : 'failed';
  return { type: 'search', id, query, state, found: findings.sources.length, durationMs, sent };
}

function toEditsEntry({ id, edits, outcome }: EditsItem): Entry {
  const paths = [...new Set(edits.map(({ path }) => path))];
  return { type: 'edits', id, paths, ...(outcome && { note: toRevertNote(outcome) }) };
}

/** What reverting did: which files went back, and which stay and why. */
export function toRevertNote({ reverted, kept }: RevertOutcome): string {
  const lines = kept.map(({ path, reason, why }) => {
    switch (reason) {
      case 'changed':
        return l10n.t('{0} stays: it was changed since.', path);
      case 'gone':
        return l10n.t('{0} stays: it is gone.', path);
      case 'failed':
        return l10n.t('{0} stays: {1}', path, why ?? '');
    }
  });
  if (reverted.length > 0) lines.unshift(l10n.t('Reverted: {0}', reverted.join(', ')));
  return lines.join('\n');
}

/** The page shows this much of a call's arguments and result; the model got all of it. */
const shownCharacters = 20_000;

function toToolEntry({ id, name, summary, arguments: json, outcome }: ToolItem): Entry {
  const state = outcome?.state ?? 'waiting';
  const entry: Entry = { type: 'tool', id, name, summary, arguments: cut(json), state };
  return outcome ? { ...entry, end: toToolEnd(outcome) } : entry;
}

export function toToolEnd({
  state,
  content,
  durationMs,
  locations = [],
  withheld = [],
  findings,
}: ToolOutcome): ToolEnd {
  // Of what an answer is grounded in, the person can read every word.
  return { state, durationMs, result: findings ? content : cut(content), locations, withheld };
}

function cut(text: string): string {
  if (text.length <= shownCharacters) return text;
  const rest = text.length - shownCharacters;
  return `${text.slice(0, shownCharacters)}\n${l10n.t('… {0} more characters, which the model got too', rest)}`;
}

function noticeOf({ kind, detail = '' }: NoticeItem): Pick<Entry & { type: 'notice' }, 'text' | 'remedy'> {
  const goOn = { type: 'continue', label: remedyLabel('continue') } as const;
  switch (kind) {
    case 'tools-refused':
      return { text: l10n.t('{0} does not take tools, so it was asked again without them.', detail) };
    case 'round-limit':
      return {
        text: l10n.t(
          'The model called tools {0} times in a row, which is the limit of "chat.maxToolRounds".',
          detail,
        ),
        remedy: goOn,
      };
    case 'same-call':
      return {
        text: l10n.t('The model repeated the same call with the same result, so it was stopped.'),
        remedy: goOn,
      };
    case 'results-shortened':
      return { text: l10n.t("Older tool results shortened to fit the model's context: {0}", detail) };
    case 'context-refused':
      return {
        text: l10n.t(
          'The conversation was longer than the model takes ({0} tokens), so it is shortened and sent once more.',
          detail,
        ),
      };
    case 'knowledge-not-searched':
      return { text: l10n.t('The model did not search the knowledge bases.') };
    case 'knowledge-empty':
      return { text: l10n.t('Nothing was found in {0}; this answer is not grounded in them.', detail) };
    case 'knowledge-failed':
      return {
        text: l10n.t(
          'The knowledge bases could not be searched; this answer is not grounded in them. {0}',
          detail,
        ),
      };
    case 'knowledge-incomplete':
      return { text: l10n.t('Not all knowledge bases could be searched. {0}', detail) };
    default:
      return assertNever(kind);
  }
}

/** The marker above which the model has not the messages themselves. */
function toSummaryEntry({ id, text, problem = '' }: SummaryItem): Entry {
  if (text) {
    const said = l10n.t("Earlier messages are sent as a summary, to fit the model's context.");
    return { type: 'notice', id, text: said, detail: text };
  }
  const said = l10n.t(
    "Earlier messages are left out, to fit the model's context. They could not be summarised: {0}",
    problem,
  );
  return { type: 'notice', id, text: said };
}

export function toEntryEnd(end: AnswerEnd, text: string, sources: AnswerSources): EntryEnd {
  const note = noteOf(end);
  const listed = end.reason === 'called' || !text ? [] : toSources(sources, text);
  return {
    ...(listed.length > 0 && { sources: listed }),
    ...(end.reason === 'called' && { isStep: true }),
    ...(note && { note }),
    ...(end.failure && { failure: toFailure(end.failure) }),
    ...(end.usage && { usage: end.usage }),
  };
}

function noteOf(end: AnswerEnd): string | undefined {
  switch (end.reason) {
    case 'stopped':
      return l10n.t('You stopped this answer.');
    case 'length':
      return l10n.t('The answer reached the output limit. Raise "chat.maxTokens" or ask the model to go on.');
    case 'filtered':
      return l10n.t("The model's content filter ended this answer.");
    case 'interrupted':
      return l10n.t('The editor was closed while this answer came in. What had arrived is kept.');
    case 'answered':
    case 'called':
    case 'failed':
      return undefined;
  }
}

export function toFailure(error: { code: ErrorCode; message: string; why?: string | undefined }): Failure {
  const { code, message, why } = error;
  const type = remedies[code];
  return { code, message, ...(why && { why }), remedy: { type, label: remedyLabel(type) } };
}

/** The one thing that helps, by kind of failure. */
const remedies: Record<ErrorCode, Remedy> = {
  'wrong-address': 'connectRelay',
  key: 'connectRelay',
  'vendor-key': 'selectModel',
  balance: 'openRelay',
  model: 'selectModel',
  'not-permitted': 'selectModel',
  'context-too-long': 'newChat',
  'too-large': 'newChat',
  'rate-limit': 'retry',
  request: 'showLog',
  transient: 'retry',
  truncated: 'retry',
  'empty-reply': 'retry',
  'app-unavailable': 'showLog',
  'timeout-connect': 'retry',
  'timeout-first-token': 'retry',
  'timeout-idle': 'retry',
  tls: 'openSettings',
  proxy: 'openSettings',
  offline: 'retry',
  cancelled: 'retry',
};

function remedyLabel(remedy: Remedy): string {
  switch (remedy) {
    case 'retry':
      return l10n.t('Retry');
    case 'connectRelay':
      return l10n.t('Connect Relay…');
    case 'openRelay':
      return l10n.t("Open the Relay's Site");
    case 'selectModel':
      return l10n.t('Choose Another Model');
    case 'newChat':
      return l10n.t('New Chat');
    case 'continue':
      return l10n.t('Continue');
    case 'openSettings':
      return l10n.t('Open Settings');
    case 'showLog':
      return l10n.t('Show Log');
  }
}

export function toModelOption(model: Model): ModelOption {
  const { id, name, vendor, contextWindow } = model;
  return { id, name, ...(vendor && { vendor }), ...(contextWindow && { contextWindow }) };
}
