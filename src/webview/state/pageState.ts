import { signal, type Signal } from '@preact/signals';
import type { AppView, FormView } from '../../shared/apps.ts';
import type { AttachmentChip } from '../../shared/attachments.ts';
import type { BranchTarget } from '../../shared/branches.ts';
import { longestPath, mostPathsAsked } from '../../shared/code.ts';
import type { ContextPartsLoaded, ContextUse, ToldChip } from '../../shared/context.ts';
import type { Knowledge, SourceStates } from '../../shared/knowledge.ts';
import type { Permissions } from '../../shared/modes.ts';
import type { FindOpened, TextFound } from '../../shared/navigation.ts';
import type { ParametersLoaded } from '../../shared/parameters.ts';
import type { PanelNotice, QueuedMessage, Starter, ToPage } from '../../shared/protocol.ts';
import type { Plan } from '../../shared/tools.ts';
import type { Connection, Models, Status, ToolCount } from '../../shared/transcript.ts';
import { EntryHeights } from '../transcript/entryHeights.ts';
import type { AssistantItem, Item } from './items.ts';

/** @param show called again when late content has moved the entry; without it the entry gets the focus */
export interface Sought {
  index: number;
  id: string;
  show?(entry: HTMLElement): void;
}

/** Content of a place where a message is written: the message box, or a message being edited. */
export interface Box {
  readonly draft: Signal<string>;
  readonly attachments: Signal<readonly AttachmentChip[]>;
  readonly pasted: Signal<string | undefined>;
  /** Sent text not yet accepted by the host; the box keeps it until then. */
  readonly sent: Signal<string | undefined>;
  sentAtMs: number;
  /** Time of the last input, or 0. Nothing is drawn from it. */
  typedAtMs: number;
  readonly focusWishes: Signal<number>;
}

export interface EditBox extends Box {
  readonly id: string;
  /** Place among all entries, which may not be loaded. */
  readonly index: Signal<number>;
}

export interface PageState extends Box {
  /** False before the first full state; until then only the message box is shown. */
  readonly loaded: Signal<boolean>;
  readonly hasBox: boolean;
  readonly items: Signal<readonly Item[]>;
  readonly first: Signal<number>;
  readonly total: Signal<number>;
  readonly opening: Signal<boolean>;
  readonly isEndOnly: Signal<boolean>;
  readonly heights: EntryHeights;
  unseenAnswer: AssistantItem | undefined;
  readonly loading: Signal<{ requestId: number; where: 'beside' | 'elsewhere' } | undefined>;
  /** Counts messages sent and repeated, which scroll to the end. */
  readonly asked: Signal<number>;
  chatId: string | undefined;
  /** Counts full states. An entry's id may mean another entry in each of them. */
  generation: number;
  readonly edit: Signal<EditBox | undefined>;
  /** The message whose editing was just cancelled; its button gets the focus. */
  editLeft: string | undefined;
  readonly told: Signal<readonly ToldChip[]>;
  readonly context: Signal<ContextUse | undefined>;
  readonly contextParts: Signal<ContextPartsLoaded | undefined>;
  readonly parameters: Signal<ParametersLoaded | undefined>;
  readonly plan: Signal<Plan | undefined>;
  readonly queue: Signal<readonly QueuedMessage[]>;
  readonly branchTarget: Signal<BranchTarget | undefined>;
  /** Small pictures of attached images by the ids of their chips; undefined until loaded. */
  readonly thumbnails: Map<string, Signal<ImageBitmap | undefined>>;
  /** Reduced pictures of answers by file; `none` if one cannot be drawn. */
  readonly answerPictures: Map<string, Signal<ImageBitmap | 'none' | undefined>>;
  readonly knowledge: Signal<Knowledge>;
  readonly sourceStates: Map<string, Signal<SourceStates>>;
  readonly attachmentNews: Signal<string>;
  readonly mentionAnswer: Signal<Extract<ToPage, { type: 'mentionsFound' }> | undefined>;
  readonly status: Signal<Status>;
  /** Host clock minus page clock. Hardly changes, so no signal. */
  hostAheadMs: number;
  readonly connection: Signal<Connection>;
  readonly models: Signal<Models>;
  readonly tools: Signal<ToolCount>;
  readonly permissions: Signal<Permissions | undefined>;
  readonly choiceOpen: Signal<'mode' | 'approvals' | 'context' | 'parameters' | undefined>;
  readonly app: Signal<AppView | undefined>;
  /** Asked for by a command, in front of the conversation. */
  readonly form: Signal<FormView | undefined>;
  readonly finished: Signal<AssistantItem | undefined>;
  readonly pickerOpen: Signal<boolean>;
  readonly finding: Signal<number>;
  readonly textFound: Signal<TextFound | undefined>;
  readonly findOpened: Signal<FindOpened | undefined>;
  readonly sought: Signal<Sought | undefined>;
  readonly starters: Signal<readonly Starter[]>;
  readonly answerKey: Signal<{ decision: 'allow' | 'deny' } | undefined>;
  readonly paths: KnownPaths;
  readonly recalled: Signal<{ back: number; text: string } | undefined>;
  readonly notices: Signal<readonly PanelNotice[]>;
  versionWish: 'previous' | 'next' | undefined;
}

const mostKnown = 5000;

export function createBox(text = ''): Box {
  return {
    draft: signal(text),
    attachments: signal([]),
    pasted: signal(undefined),
    sent: signal(undefined),
    sentAtMs: 0,
    typedAtMs: 0,
    focusWishes: signal(0),
  };
}

export function createState({ hasBox = false } = {}): PageState {
  return {
    ...createBox(),
    loaded: signal(false),
    hasBox,
    items: signal([]),
    first: signal(0),
    opening: signal(true),
    total: signal(0),
    isEndOnly: signal(false),
    heights: new EntryHeights(),
    unseenAnswer: undefined,
    loading: signal(undefined),
    asked: signal(0),
    chatId: undefined,
    generation: 0,
    edit: signal(undefined),
    editLeft: undefined,
    told: signal([]),
    context: signal(undefined),
    contextParts: signal(undefined),
    parameters: signal(undefined),
    plan: signal(undefined),
    queue: signal([]),
    branchTarget: signal(undefined),
    thumbnails: new Map(),
    answerPictures: new Map(),
    knowledge: signal({ isConnected: false, chosen: [] }),
    sourceStates: new Map(),
    attachmentNews: signal(''),
    mentionAnswer: signal(undefined),
    status: signal({ type: 'idle' }),
    hostAheadMs: 0,
    connection: signal({ state: 'none' }),
    models: signal({ state: 'none', options: [], favourites: [], recent: [] }),
    tools: signal({ on: 0, total: 0 }),
    permissions: signal(undefined),
    choiceOpen: signal(undefined),
    app: signal(undefined),
    form: signal(undefined),
    finished: signal(undefined),
    pickerOpen: signal(false),
    finding: signal(0),
    textFound: signal(undefined),
    findOpened: signal(undefined),
    sought: signal(undefined),
    starters: signal([]),
    answerKey: signal(undefined),
    paths: new KnownPaths(),
    recalled: signal(undefined),
    notices: signal([]),
    versionWish: undefined,
  };
}

class KnownPaths {
  readonly changes = signal(0);
  private readonly known = new Map<string, boolean>();
  private readonly asked = new Set<string>();

  isThere(path: string): boolean | undefined {
    return path.length > longestPath ? false : this.known.get(path);
  }

  toAsk(paths: Iterable<string>): string[][] {
    const fresh = [...new Set(paths)].filter(
      (path) => this.isThere(path) === undefined && !this.asked.has(path),
    );
    for (const path of fresh) this.asked.add(path);
    const pieces: string[][] = [];
    for (let at = 0; at < fresh.length; at += mostPathsAsked)
      pieces.push(fresh.slice(at, at + mostPathsAsked));
    return pieces;
  }

  learn({ found, missing }: { found: readonly string[]; missing: readonly string[] }): void {
    if (this.known.size > mostKnown) this.known.clear();
    for (const path of [...found, ...missing]) this.asked.delete(path);
    for (const path of found) this.known.set(path, true);
    for (const path of missing) this.known.set(path, false);
    this.changes.value++;
  }

  /** Files may have been created since: missing ones are asked about again. */
  forgetMissing(): void {
    for (const [path, isThere] of this.known) if (!isThere) this.known.delete(path);
  }
}
