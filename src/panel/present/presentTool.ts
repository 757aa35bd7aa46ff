import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { inline } from '../../base/text/oneLine.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { argumentsPreview, previewOf, shownText } from './callPreview.ts';
import type { EditsItem, ToolItem } from '../../chat/conversation/items.ts';
import { isShownByPlan } from '../../chat/conversation/checklist.ts';
import { isRestored } from '../../chat/conversation/rollback.ts';
import type { ToolOutcome } from '../../chat/store/events.ts';
import { isSeenWhole } from '../../chat/calls/callTexts.ts';
import type { Question } from '../../chat/calls/toolBox.ts';
import { callMessage, isCommand, lookKindOf, readsInput } from '../../chat/calls/callMessage.ts';
import { failureReason, lastLines, readResult } from '../../chat/calls/failureReason.ts';
import type { EditsEntry, ShownArguments, ToolEnd, ToolEntry, ToolQuestion } from '../../shared/tools.ts';
import { remedyLabel } from './presentFailure.ts';
import { undoProblemMessage } from './presentRestoration.ts';

/** Characters of a call's result shown in the page; the model got all of it. */
const shownCharacters = 20_000;
const longestReason = 500;

export function toToolEntry(item: ToolItem, question: Question | undefined): ToolEntry {
  const { id, inputText, state, outcome } = item;
  const look = lookKindOf(item);
  const note = noteOf(item);
  const canContinue = outcome?.state === 'stopped' && outcome.unrun !== 'steered';
  return {
    ...{ type: 'tool', id, name: inline(item.name), message: messageOf(item) },
    // A call without its question cannot be answered: its outcome is on the way.
    state: outcome?.state ?? (state === 'asking' && !question ? 'waiting' : state) ?? 'waiting',
    ...(look && { look }),
    ...(isShownByPlan(item) && { isHidden: true }),
    arguments: inputText === undefined ? argumentsPreview(item) : unreadArguments(inputText),
    ...(question && !outcome && { question: toQuestion(question) }),
    ...(outcome && { end: toToolEnd(item, outcome) }),
    ...(isCommand(item) && toCommandView(item)),
    ...(note && { note }),
    ...(canContinue && { remedy: { type: 'continue', label: remedyLabel('continue') } }),
  };
}

function toQuestion(question: Question): ToolQuestion {
  const { why, always, isDangerous } = question;
  return {
    preview: previewOf(question),
    ...(isDangerous && { isDangerous }),
    ...(!isSeenWhole(question) && { isFolded: true }),
    ...(why !== undefined && { why: inline(why, longestReason) }),
    ...(always && { always: inline(always.label, longestReason) }),
    ...(always?.wider && { wider: inline(always.wider.label, longestReason) }),
  };
}

function noteOf(item: ToolItem): string | undefined {
  const { state, outcome } = item;
  if (outcome?.refusedBy !== undefined) return l10n.t('Not allowed in the mode "{0}"', outcome.refusedBy);
  if (outcome?.note !== undefined) return outcome.note;
  if (outcome?.unrun === 'steered') return l10n.t('Skipped: your message came first.');
  if (outcome?.isInterrupted) {
    return l10n.t('The window was closed while this ran. Check whether it took effect.');
  }
  if (readsInput(item) && (outcome ? outcome.isInBackground : state === 'running')) {
    return l10n.t('If this command waits for input, type it in its terminal.');
  }
  if (state !== 'asking') return undefined;
  switch (outcome?.unrun) {
    case 'closed':
      return l10n.t('The window was closed before you decided.');
    case 'stopped':
      return l10n.t('Stopped before you decided.');
    default:
      return undefined;
  }
}

function unreadArguments(given: string): ShownArguments {
  const rows = given.trim() === '' ? [] : [{ name: '', ...shownText(given) }];
  return { type: 'arguments', rows, more: 0 };
}

function messageOf(item: ToolItem): string {
  const message = callMessage(item, item.state, item.outcome);
  const reason = failureReason(item);
  return reason === undefined ? message : l10n.t('{0}: {1}', message, reason);
}

function toToolEnd(item: ToolItem, outcome: ToolOutcome): ToolEnd {
  const { content, durationMs, locations = [], withheld = [], findings } = outcome;
  const text = isCommand(item) ? readResult(content).text : content;
  // The user can read every word that an answer is grounded in.
  return { durationMs, result: findings ? content : cut(text), locations, withheld };
}

function toCommandView({ live, outcome }: ToolItem): Pick<ToolEntry, 'command'> {
  const isFailed = outcome?.state === 'failed';
  if (!live && !isFailed) return {};
  const output = outcome ? readResult(isFailed ? outcome.content : '').output.at(-1) : live?.lines;
  return {
    command: {
      lines: visibleText(lastLines(output ?? '')),
      ...(live && { hasTerminal: true }),
      ...(live && !outcome && { sinceMs: live.sinceMs }),
    },
  };
}

function cut(text: string): string {
  if (text.length <= shownCharacters) return text;
  const rest = text.length - shownCharacters;
  return `${text.slice(0, shownCharacters)}\n${plural(
    rest,
    l10n.t('… 1 more character, also sent to the model'),
    l10n.t('… {0} more characters, also sent to the model', formatNumber(rest)),
  )}`;
}

export function toEditsEntry(item: EditsItem): EditsEntry {
  const { id, edits, reviews } = item;
  const files = [...new Set(edits.map(({ path }) => path))].map((path) => {
    const { added, removed } = edits.findLast((edit) => edit.path === path) ?? {};
    const review = reviews?.[path];
    const { undone = { added: 0, removed: 0 } } = review ?? {};
    const state = stateOf(item, path);
    const isGone = state === 'undone' || state === 'restored';
    return {
      path,
      // Undone files do not count: their line counts may include later edits.
      ...(!isGone &&
        added !== undefined &&
        removed !== undefined && {
          added: Math.max(0, added - undone.added),
          removed: Math.max(0, removed - undone.removed),
        }),
      ...(state && { state }),
      ...((state === 'undone' || state === 'reviewed') &&
        review?.isDone &&
        review.redo && { canRedo: true as const }),
      ...(review?.problem && { problem: undoProblemMessage(review.problem) }),
    };
  });
  return { type: 'edits', id, files };
}

function stateOf(item: EditsItem, path: string): EditsEntry['files'][number]['state'] {
  if (isRestored(item, path)) return 'restored';
  const { isDone, wasKept, wasUndone } = item.reviews?.[path] ?? {};
  if (!isDone) return item.reverted?.has(path) ? 'undone' : undefined;
  if (wasKept && wasUndone) return 'reviewed';
  return wasKept ? 'kept' : 'undone';
}
