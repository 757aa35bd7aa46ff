import type { Annotation, AppStep, InputPlace, OutputFile, Rating } from '../../apps/app.ts';
import type { Source } from '../../tools/knowledge/source.ts';
import type { AppChatEvent } from './appEvents.ts';

export interface AppPart {
  messageId?: string;
  /** Unique, in the order in which they began. */
  steps: AppStep[];
  sources: readonly Source[];
  files: OutputFile[];
  questions: readonly string[];
  rating?: Rating;
  annotation?: Annotation;
  awaits?: AwaitedInput;
}

export interface AwaitedInput {
  runId: string;
  titles: readonly string[];
  place: InputPlace;
}

export function emptyPart(): AppPart {
  return { steps: [], sources: [], files: [], questions: [] };
}

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
    case 'answerAnnotated':
      part.annotation = event.annotation;
      return;
    case 'answerRated':
      if (event.rating) part.rating = event.rating;
      else delete part.rating;
  }
}

function putStep(steps: AppStep[], step: AppStep): void {
  const at = steps.findLastIndex(({ id }) => id === step.id);
  if (at < 0) steps.push(step);
  else steps[at] = step;
}
