import type { AppPart, KnownStep } from '../chat/apps/appPart.ts';
import type { AnswerApp, Step } from '../shared/apps.ts';

export function toShownStep({
  id,
  title,
  status,
  error,
  elapsedMs,
  tokens,
  round,
  retries,
}: KnownStep): Step {
  return {
    ...{ id, title, state: status, retries },
    ...(error !== undefined && { error }),
    ...(elapsedMs !== undefined && { durationMs: elapsedMs }),
    ...(tokens !== undefined && { tokens }),
    ...(round !== undefined && { round }),
  };
}

export function toAnswerApp({ files, questions, messageId, rating }: AppPart): AnswerApp {
  return {
    files: [...files],
    questions: [...questions],
    canRate: messageId !== undefined,
    ...(rating && { rating }),
  };
}
