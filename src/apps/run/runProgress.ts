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

/** What is known of a run, or of an answer that is not part of a chat. */
export interface RunProgress {
  taskId?: string;
  runId?: string;
  messageId?: string;
  conversationId?: string;
  text: string;
  reasoning: string;
  /** In the order they began; each once. */
  steps: readonly AppStep[];
  thoughts: readonly AppThought[];
  sources: readonly AppSource[];
  files: readonly AppFile[];
  /** Why the run waits for human input on the platform; absent as long as it does not. */
  waitsFor?: readonly string[];
  /** Of what it waits for, what can be filled in from here. */
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

/** The progress after one more event. */
export function advance(progress: RunProgress, event: AppEvent): RunProgress {
  switch (event.type) {
    case 'requestSent':
    case 'retryScheduled':
    case 'stalled':
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
      // Something happens again, so nobody is waited for.
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

/** In place of the one with the same id, or at the end. */
function put<T extends { id?: string }>(items: readonly T[], item: T): readonly T[] {
  const at = item.id === undefined ? -1 : items.findLastIndex(({ id }) => id === item.id);
  return at < 0 ? [...items, item] : items.with(at, item);
}
