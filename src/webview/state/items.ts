import { signal, type Signal } from '@preact/signals';
import type { AnswerApp, AppStep } from '../../shared/apps.ts';
import type { Citable, SearchEntry } from '../../shared/knowledge.ts';
import type { AnswerPicture } from '../../shared/pictures.ts';
import type { EditsEntry, HunksLoaded, ToolEntry } from '../../shared/tools.ts';
import type { Entry, EntryEnd, Version } from '../../shared/transcript.ts';

export type UserItem = Extract<Entry, { type: 'user' }>;

/** An answer. Each changing part is a signal, so that a delta only redraws this entry. */
export interface AssistantItem {
  readonly type: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly version: Version | undefined;
  readonly text: Signal<string>;
  readonly reasoning: Signal<string>;
  readonly reasoningMs: Signal<number | undefined>;
  readonly citable: Signal<Citable>;
  readonly end: Signal<EntryEnd | undefined>;
  readonly steps: Signal<readonly AppStep[]>;
  readonly app: Signal<AnswerApp | undefined>;
  readonly pictures: Signal<readonly AnswerPicture[]>;
}

export interface ToolItem {
  readonly type: 'tool';
  readonly id: string;
  readonly entry: Signal<ToolEntry>;
}

export interface EditsItem {
  readonly type: 'edits';
  readonly id: string;
  readonly entry: Signal<EditsEntry>;
  readonly hunks: Signal<Readonly<Record<string, HunksLoaded>>>;
}

export type NoticeItem = Extract<Entry, { type: 'notice' }>;

export type Item = UserItem | AssistantItem | ToolItem | NoticeItem | EditsItem | SearchEntry;

export function toItem(entry: Entry): Item {
  switch (entry.type) {
    case 'user':
    case 'notice':
    case 'search':
      return entry;
    case 'edits':
      return { type: 'edits', id: entry.id, entry: signal(entry), hunks: signal({}) };
    case 'tool':
      return { type: 'tool', id: entry.id, entry: signal(entry) };
    case 'assistant': {
      const { type, id, model, version, text, reasoning, citable = [], end, steps = [], app } = entry;
      return {
        type,
        id,
        model,
        version,
        text: signal(text),
        reasoning: signal(reasoning),
        reasoningMs: signal(entry.reasoningMs),
        pictures: signal(entry.pictures ?? []),
        citable: signal(citable),
        end: signal(end),
        steps: signal(steps),
        app: signal(app),
      };
    }
  }
}
