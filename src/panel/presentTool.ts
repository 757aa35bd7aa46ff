import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/format.ts';
import { visibleText } from '../base/visibleText.ts';
import { argumentsPreview, previewOf } from './callPreview.ts';
import type { EditsItem, ToolItem } from '../chat/items.ts';
import { isRestored } from '../chat/rollback.ts';
import type { ToolOutcome } from '../chat/events.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import { callMessage, lookKindOf, readsInput } from '../chat/calls/callMessage.ts';
import type { EditsEntry, ShownArguments, ToolEnd, ToolEntry, ToolQuestion } from '../shared/tools.ts';
import { remedyLabel } from './presentFailure.ts';
import { undoProblemMessage } from './undoProblemMessage.ts';

/** The page shows this much of a call's arguments and result; the model got all of it. */
const shownCharacters = 20_000;

/** @param question what the user is asked about the call, while it waits for the answer */
export function toToolEntry(item: ToolItem, question: Question | undefined): ToolEntry {
  const { id, name, input, inputText, state, outcome } = item;
  const look = lookKindOf(item);
  const note = noteOf(item);
  const canContinue = outcome?.isInterrupted ?? (outcome?.unrun && outcome.unrun !== 'steered');
  return {
    ...{ type: 'tool', id, name, message: callMessage(item, state, outcome) },
    // Without its question a call cannot be answered: it is on its way to its outcome.
    state: outcome?.state ?? (state === 'asking' && !question ? 'waiting' : state) ?? 'waiting',
    ...(look && { look }),
    arguments: inputText === undefined ? argumentsPreview(input) : unreadArguments(inputText),
    ...(question && !outcome && { question: toQuestion(question) }),
    ...(outcome && { end: toToolEnd(outcome) }),
    ...(note && { note }),
    ...(canContinue && { remedy: { type: 'continue', label: remedyLabel('continue') } }),
  };
}

function toQuestion(question: Question): ToolQuestion {
  const { why, always } = question;
  return {
    preview: previewOf(question),
    ...(why !== undefined && { why }),
    ...(always && { always: always.label }),
  };
}

/** Why a call did not run, or failed, where the call does not say it itself. */
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

/** What is not an object could not be run; it is shown as it came. */
function unreadArguments(given: string): ShownArguments {
  const text = given.trim() === '' ? '' : visibleText(cut(given));
  return { type: 'arguments', rows: text ? [{ name: '', value: text, more: 0 }] : [], more: 0 };
}

function toToolEnd({ content, durationMs, locations = [], withheld = [], findings }: ToolOutcome): ToolEnd {
  // Of what an answer is grounded in, the user can read every word.
  return { durationMs, result: findings ? content : cut(content), locations, withheld };
}

function cut(text: string): string {
  if (text.length <= shownCharacters) return text;
  const rest = text.length - shownCharacters;
  return `${text.slice(0, shownCharacters)}\n${plural(
    rest,
    l10n.t('… 1 more character, which the model got too'),
    l10n.t('… {0} more characters, which the model got too', formatNumber(rest)),
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
      // What was undone does not count. Others may have written into it meanwhile, so it could be more than there was.
      ...(!isGone &&
        added !== undefined &&
        removed !== undefined && {
          added: Math.max(0, added - undone.added),
          removed: Math.max(0, removed - undone.removed),
        }),
      ...(state && { state }),
      ...(review?.problem && { problem: undoProblemMessage(review.problem) }),
    };
  });
  return { type: 'edits', id, files };
}

function stateOf(item: EditsItem, path: string): EditsEntry['files'][number]['state'] {
  if (isRestored(item, path)) return 'restored';
  const { isDone, wasKept, wasUndone } = item.reviews?.[path] ?? {};
  if (!isDone) return undefined;
  if (wasKept && wasUndone) return 'reviewed';
  return wasKept ? 'kept' : 'undone';
}
