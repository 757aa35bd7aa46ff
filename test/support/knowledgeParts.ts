import type { ChatController } from '../../src/chat/chatController.ts';
import type { KnowledgeBase, Source } from '../../src/chat/store/events.ts';
import { ManualClock } from './manualClock.ts';
import type { SourceState } from '../../src/shared/knowledge.ts';
import { SourceWatch } from '../../src/panel/present/sourceWatch.ts';
import { KnowledgeController, type KnowledgeHost } from '../../src/panel/knowledgeController.ts';

export interface WatchedFiles {
  /** Documents of each check. */
  checked: string[][];
  /** By document. */
  states: Map<string, SourceState>;
  listeners: Set<(path: string) => void>;
  clock: ManualClock;
}

export function knowledgeParts(chat: ChatController): {
  controller: KnowledgeController;
  host: { isConnected: boolean; choice: readonly KnowledgeBase[] | undefined };
  opened: Source[];
  added: string[];
  compared: Source[];
  watch: WatchedFiles;
} {
  const opened: Source[] = [];
  const added: string[] = [];
  const compared: Source[] = [];
  const watch: WatchedFiles = {
    checked: [],
    states: new Map(),
    listeners: new Set(),
    clock: new ManualClock(),
  };
  const host: KnowledgeHost & { isConnected: boolean; choice: readonly KnowledgeBase[] | undefined } = {
    isConnected: true,
    choice: undefined,
    choose: async () => host.choice,
    openSource: (source) => void opened.push(source),
    addToKnowledgeBase: (path, datasetId) =>
      void added.push(datasetId === undefined ? path : `${path} to ${datasetId}`),
    compareSource: (source) => void compared.push(source),
    watchSources: async (shown, post) =>
      new SourceWatch(
        shown,
        {
          checkSources: async (sources) => {
            watch.checked.push(sources.map(({ documentName }) => documentName));
            return sources.map(({ documentName }) => watch.states.get(documentName));
          },
          clock: watch.clock,
          watchFiles: (onChange) => {
            watch.listeners.add(onChange);
            return { dispose: () => watch.listeners.delete(onChange) };
          },
        },
        post,
      ),
  };
  return { controller: new KnowledgeController(chat, host), host, opened, added, compared, watch };
}
