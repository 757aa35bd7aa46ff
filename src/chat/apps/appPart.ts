import type { AppStep, InputPlace, OutputFile, Rating } from '../../apps/app.ts';
import type { Source } from '../../tools/knowledge/source.ts';
import type { AppChatEvent } from './appEvents.ts';

/** What an answer has beside its words when an app gave it. */
export interface AppPart {
  /** The platform's; absent for what it did not come to know. */
  messageId?: string;
  /** In the order they began, each once. */
  steps: AppStep[];
  sources: readonly Source[];
  files: OutputFile[];
  questions: readonly string[];
  rating?: Rating;
  /** The run waits for human input. */
  awaits?: AwaitedInput;
}

export interface AwaitedInput {
  /** The platform's. */
  runId: string;
  /** Of the steps that wait. */
  titles: readonly string[];
  place: InputPlace;
}

export function emptyPart(): AppPart {
  return { steps: [], sources: [], files: [], questions: [] };
}

/** Changes the part of an answer by what happened. */
export function applyToPart(
  part: AppPart,
  event: Exclude<AppChatEvent, { type: 'appConversationStarted' | 'appInputsKnown' }>,
): void {
  switch (event.type) {
    case 'answerNamed':
      part.messageId = event.messageId;
      return;
    case 'stepChanged':
      return putStep(part.steps, event.step);
    case 'segmentsFound':
      part.sources = event.sources;
      return;
    case 'fileOutput':
      part.files.push(event.file);
      return;
    case 'questionsSuggested':
      part.questions = event.questions;
      return;
    case 'inputAwaited': {
      const { runId, titles, place } = event;
      part.awaits = { runId, titles, place };
      return;
    }
    case 'inputSettled':
      delete part.awaits;
      return;
    case 'answerRated':
      if (event.rating) part.rating = event.rating;
      else delete part.rating;
  }
}

/** What changes is near the end. */
function putStep(steps: AppStep[], step: AppStep): void {
  const at = steps.findLastIndex(({ id }) => id === step.id);
  if (at < 0) steps.push(step);
  else steps[at] = step;
}
