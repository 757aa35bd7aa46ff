import * as l10n from '@vscode/l10n';
import type { AppliedEdit } from '../../tools/edits/editJournal.ts';
import type { Conversation } from './conversation.ts';
import type { BegunEdit, BegunRestoration } from './conversationState.ts';
import type { ToolItem } from './items.ts';
import type { ChatEvent, ToolOutcome } from '../store/events.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { isWindowThere } from '../session/windowMark.ts';

/** `record` applies the event, or only notes it. `made`: the `interruptedEdits` found in their files. */
export function recordInterruptions(
  conversation: Conversation,
  record: (event: ChatEvent) => void,
  made: readonly AppliedEdit[] = [],
): void {
  const { abandonedId } = conversation;
  if (abandonedId !== undefined) record({ type: 'versionChosen', id: abandonedId });
  // The full conversation may have replaced its loaded end.
  const inFile = new Map(made.map((edit) => [keyOfEdit(edit), edit]));
  const wasMade = (edit: AppliedEdit) => inFile.has(keyOfEdit(edit));
  const restoration = interruptedRestoration(conversation);
  if (restoration) {
    const { id, toId, edits, window } = restoration;
    const restored = edits.filter(wasMade);
    const why = l10n.t('The editor was closed.');
    const problems = edits
      .filter((edit) => !wasMade(edit))
      .map(({ path }) => ({ path, reason: 'failed' as const, why }));
    record(
      restored.length > 0
        ? {
            type: 'checkpointRestored',
            id,
            toId,
            edits: restored,
            ...(problems.length > 0 && { problems }),
          }
        : { type: 'restorationBegun', id, toId, edits: [], window },
    );
  }
  for (const { edit, folders, inline } of begunEditsLeft(conversation)) {
    const { realPath } = edit;
    const found = inFile.get(keyOfEdit(edit));
    // Its file couldn't be read: the next time may tell.
    if (found?.isUnfinished && found.afterHash === undefined) continue;
    if (!found) {
      record({ type: 'editNotMade', realPath });
      continue;
    }
    const applied = { ...found };
    delete applied.isUnfinished;
    const id = `inline:${realPath}:${found.afterHash}`;
    if (inline)
      record({ type: 'noticed', id, kind: inline.kind ?? 'inline-edit', detail: inline.instruction });
    record({ type: 'editMade', edit: applied, ...(folders && { folders }) });
  }
  for (const item of conversation.unended) {
    record(
      item.type === 'answer'
        ? { type: 'answerEnded', id: item.id, end: { reason: 'interrupted' } }
        : { type: 'toolFinished', id: item.id, outcome: interruptedOutcome(item) },
    );
  }
  const { hasOpenEdits, all } = conversation;
  if (hasOpenEdits) record({ type: 'editsMade', id: `edits:${all.at(-1)?.id ?? ''}` });
}

export function interruptedEdits(conversation: Conversation): readonly AppliedEdit[] {
  return [
    ...(interruptedRestoration(conversation)?.edits ?? []),
    ...begunEditsLeft(conversation).map(({ edit }) => edit),
  ];
}

function keyOfEdit({ realPath, beforeHash, afterHash, isUnfinished }: AppliedEdit): string {
  return JSON.stringify([realPath, beforeHash, isUnfinished ? 'unfinished' : afterHash]);
}

// Inline edits and restorations belong to their window, not to a turn.
function begunEditsLeft({ begunEdits }: Conversation): readonly BegunEdit[] {
  return begunEdits.filter(({ inline }) => !inline || !isWindowThere(inline.window));
}

function interruptedRestoration({ begunRestoration }: Conversation): BegunRestoration | undefined {
  return begunRestoration && !isWindowThere(begunRestoration.window) ? begunRestoration : undefined;
}

/** Reports background commands lost with their window, once to the user and once to the model. */
export function lostCommands({ backgroundCommands }: Conversation): ChatEvent[] {
  const lost = [...backgroundCommands.values()].filter(({ window }) => !isWindowThere(window));
  return lost.flatMap(({ id, line }): ChatEvent[] => {
    const command = oneLine(line, longestCommand);
    const report = `The command ${id} in the background (${command}) ended with its editor window, which was closed or reloaded. Its output is lost. Check what it did; run it again if needed.`;
    return [
      { type: 'backgroundCommandEnded', id, report },
      { type: 'noticed', id: `lost:${id}`, kind: 'command-lost', detail: command },
    ];
  });
}

const longestCommand = 120;

function interruptedOutcome({ state }: ToolItem): ToolOutcome {
  const stopped = { state: 'stopped', durationMs: 0 } as const;
  switch (state) {
    case 'running':
      return {
        ...stopped,
        content: 'The editor was closed while this call ran. Check whether it took effect.',
        isInterrupted: true,
      };
    case 'asking':
      return {
        ...stopped,
        content: 'The editor was closed before the user decided on this call, so it did not run.',
        unrun: 'closed',
      };
    case undefined:
      return { ...stopped, content: 'The editor was closed before this call ran.', unrun: 'closed' };
  }
}
