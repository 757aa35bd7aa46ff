import type {
  AppEvent,
  AppFile,
  AppStep,
  AppRun,
  AppSource,
  AppThought,
  AppUsage,
  PausedForm,
} from '../app.ts';

export interface RunProgress {
  taskId?: string;
  runId?: string;
  messageId?: string;
  conversationId?: string;
  text: string;
  reasoning: string;
  steps: readonly AppStep[];
  thoughts: readonly AppThought[];
  sources: readonly AppSource[];
  files: readonly AppFile[];
  waitsFor?: readonly string[];
  forms?: readonly PausedForm[];
  run?: AppRun;
  usage?: AppUsage;
  hasEnded: boolean;
}

export const notBegun: RunProgress = {
  text: '',
  reasoning: '',
  steps: [],
  thoughts: [],
  sources: [],
  files: [],
  hasEnded: false,
};

export function advance(progress: RunProgress, event: AppEvent): RunProgress {
  switch (event.type) {
    case 'requestSent':
    case 'retryScheduled':
    case 'stalled':
    case 'annotationUsed':
      return progress;
    case 'started': {
      const { type: _type, ...ids } = event;
      return { ...progress, ...ids };
    }
    case 'textAdded':
      return { ...progress, text: progress.text + event.text };
    case 'textReplaced':
      return { ...progress, text: event.text };
    case 'reasoningAdded':
      return { ...progress, reasoning: progress.reasoning + event.text };
    case 'thoughtChanged':
      return { ...progress, thoughts: put(progress.thoughts, event.thought) };
    case 'stepChanged':
      // Any step means that the run no longer waits.
      return { ...progress, steps: put(progress.steps, event.step), waitsFor: undefined, forms: undefined };
    case 'fileAdded':
      return { ...progress, files: [...progress.files, event.file] };
    case 'sourcesFound':
      return { ...progress, sources: event.sources };
    case 'resumed':
      return { ...progress, waitsFor: undefined, forms: undefined };
    case 'paused':
      return { ...progress, waitsFor: event.reasons, forms: event.forms };
    case 'runFinished':
      return { ...progress, run: event.run, waitsFor: undefined, forms: undefined };
    case 'ended':
      return {
        ...progress,
        files: event.files.reduce(put, progress.files),
        ...(event.usage && { usage: event.usage }),
        hasEnded: true,
      };
  }
}

function put<T extends { id?: string }>(items: readonly T[], item: T): readonly T[] {
  const at = item.id === undefined ? -1 : items.findLastIndex(({ id }) => id === item.id);
  return at < 0 ? [...items, item] : items.with(at, item);
}
