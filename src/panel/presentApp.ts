import type { AppPart } from '../chat/apps/appPart.ts';
import type { AnswerApp } from '../shared/apps.ts';

export function toAnswerApp({ files, questions, messageId, rating }: AppPart): AnswerApp {
  return {
    files: [...files],
    questions: [...questions],
    canRate: messageId !== undefined,
    ...(rating && { rating }),
  };
}
