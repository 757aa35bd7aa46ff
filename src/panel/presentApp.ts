import type { AppPart } from '../chat/apps/appPart.ts';
import type { AnswerApp } from '../shared/apps.ts';

export function toAnswerApp({ files, questions, messageId, rating, awaits }: AppPart): AnswerApp {
  return {
    files: [...files],
    questions: [...questions],
    canRate: messageId !== undefined,
    ...(rating && { rating }),
    ...(awaits && { awaits: { titles: [...awaits.titles], place: awaits.place } }),
  };
}
