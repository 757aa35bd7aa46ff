import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { AppStore } from '../apps/appRegistry.ts';
import type { Dialect, DialectMemory } from '../platform/dialect.ts';
import type { UnseenRecord } from '../chat/unseenTurns.ts';
import type { ProcessRule } from '../platform/processRule.ts';

const maxConversationLinks = 500;
const maxRecentModels = 5;
/** Nothing was typed or attached for so long. */
const pauseMs = 400;

/** Where values are stored between sessions, as the editor offers it; undefined removes a key. */
export interface Memento {
  get(key: string): unknown;
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** What is in the message box, with what goes with it and where it is to go; parsed where it is used. */
export interface UnsentMessage {
  text: string;
  attachments?: unknown;
  target?: unknown;
}

/** What is remembered between sessions, by name, so that the keys of the mementos live in one place. */
export class Memory {
  /** By key, what is written when nothing was typed for a moment. */
  private readonly unwritten = new Map<string, unknown>();
  private timer: Disposable | undefined;

  constructor(
    private readonly everywhere: Memento,
    private readonly workspace: Memento,
    private readonly clock: Clock = systemClock,
    /** Saves it where no other window writes; resolves when that is done. */
    private readonly saveUnsent: (unsent: UnsentMessage) => Promise<void> = () => Promise.resolve(),
  ) {}

  get unsent(): UnsentMessage {
    const { draft: text, attachments, branchTarget: target } = this;
    return {
      text,
      ...(attachments !== undefined && { attachments }),
      ...(target !== undefined && { target }),
    };
  }

  /** The text in the message box that was not sent. */
  get draft(): string {
    return this.unwritten.has('draft')
      ? String(this.unwritten.get('draft'))
      : this.workspace.get('draft', '');
  }
  set draft(text: string) {
    this.writeAtPause('draft', text || undefined);
  }

  /** The message in whose place the next one is sent; parsed where it is used. */
  get branchTarget(): unknown {
    return this.workspace.get('branchTarget');
  }
  set branchTarget(target: unknown) {
    void this.workspace.update('branchTarget', target);
    void this.saveUnsent(this.unsent);
  }

  /** What was attached to it, as far as it can be saved; parsed where it is used. */
  get attachments(): unknown {
    return this.unwritten.get('attachments') ?? this.workspace.get('attachments');
  }
  set attachments(sources: readonly unknown[]) {
    this.writeAtPause('attachments', sources.length > 0 ? sources : undefined);
  }

  /** Writes what waits for a pause. */
  async flush(): Promise<void> {
    this.timer?.dispose();
    const waiting = [...this.unwritten];
    const saved = waiting.length > 0 ? [this.saveUnsent(this.unsent)] : [];
    this.unwritten.clear();
    await Promise.all([...saved, ...waiting.map(([key, value]) => this.workspace.update(key, value))]);
  }

  /** The editor writes all of a workspace's memory with each change. What was sent is gone at once, lest it come back. */
  private writeAtPause(key: string, value: unknown): void {
    this.timer?.dispose();
    if (value === undefined) {
      this.unwritten.delete(key);
      void this.workspace.update(key, undefined);
      void this.saveUnsent(this.unsent);
    } else {
      this.unwritten.set(key, value);
    }
    if (this.unwritten.size > 0) this.timer = this.clock.after(pauseMs, () => void this.flush());
  }

  /** Apps that the editor's chat and other extensions may run. */
  get offeredApps(): readonly string[] {
    return this.everywhere.get('offeredApps', []);
  }
  set offeredApps(ids: readonly string[]) {
    void this.everywhere.update('offeredApps', ids);
  }

  /** The chat that was open in this workspace. */
  get chatId(): string | undefined {
    return this.workspace.get<string | undefined>('chatId', undefined);
  }
  set chatId(id: string | undefined) {
    void this.workspace.update('chatId', id);
  }

  /** Files of this workspace that were renamed or moved, oldest first. */
  get fileMoves(): readonly { from: string; to: string }[] {
    return this.workspace.get('fileMoves', []);
  }
  set fileMoves(moves: readonly { from: string; to: string }[]) {
    void this.workspace.update('fileMoves', moves);
  }

  /** The conversations of this workspace whose end was not seen. */
  get unseenTurns(): UnseenRecord {
    return this.workspace.get('unseenTurns', {});
  }
  set unseenTurns(turns: UnseenRecord) {
    void this.workspace.update('unseenTurns', Object.keys(turns).length > 0 ? turns : undefined);
  }

  /** The model picked last on a relay, for chats to come. */
  lastModel(origin: string): string | undefined {
    return this.everywhere.get<Record<string, string>>('lastModels', {})[origin];
  }
  setLastModel(origin: string, modelId: string): void {
    const models = this.everywhere.get<Record<string, string>>('lastModels', {});
    void this.everywhere.update('lastModels', { ...models, [origin]: modelId });
  }

  /** Models of a relay that the user insists on although its list lacks them. */
  unlistedModels(origin: string): readonly string[] {
    return this.everywhere.get<Record<string, string[]>>('unlistedModels', {})[origin] ?? [];
  }
  addUnlistedModel(origin: string, modelId: string): void {
    const models = this.everywhere.get<Record<string, string[]>>('unlistedModels', {});
    const ofRelay = [...new Set([...this.unlistedModels(origin), modelId])];
    void this.everywhere.update('unlistedModels', { ...models, [origin]: ofRelay });
  }

  /** Whether the user let a key travel to this origin over plain HTTP. */
  isUnencryptedAllowed(origin: string): boolean {
    return this.everywhere.get<string[]>('unencryptedOrigins', []).includes(origin);
  }
  allowUnencrypted(origin: string): void {
    const origins = this.everywhere.get<string[]>('unencryptedOrigins', []);
    void this.everywhere.update('unencryptedOrigins', [...new Set([...origins, origin])]);
  }

  /** Tools of other extensions that were switched on in this workspace. */
  get editorTools(): readonly string[] {
    return this.workspace.get('editorTools', []);
  }
  set editorTools(names: readonly string[]) {
    void this.workspace.update('editorTools', names);
  }

  /** Own tools that were switched off in this workspace. */
  get toolsOff(): readonly string[] {
    return this.workspace.get('toolsOff', []);
  }
  set toolsOff(names: readonly string[]) {
    void this.workspace.update('toolsOff', names);
  }

  /** Beginnings of commands that models run in this workspace without asking. */
  get allowedCommands(): readonly string[] {
    return this.workspace.get('allowedCommands', []);
  }
  set allowedCommands(beginnings: readonly string[]) {
    void this.workspace.update('allowedCommands', beginnings);
  }

  /** Whether models are not told of the active editor in this workspace. */
  get isActiveEditorOff(): boolean {
    return this.workspace.get('activeEditorOff', false);
  }
  set isActiveEditorOff(isOff: boolean) {
    void this.workspace.update('activeEditorOff', isOff || undefined);
  }

  /** Paths of instruction files that models are not sent in this workspace. */
  get instructionsOff(): readonly string[] {
    return this.workspace.get('instructionsOff', []);
  }
  set instructionsOff(paths: readonly string[]) {
    void this.workspace.update('instructionsOff', paths);
  }

  /** Tools of other extensions that run in the editor's own chat only, each with its extension's version. */
  get refusingTools(): readonly string[] {
    return this.everywhere.get('refusingTools', []);
  }
  set refusingTools(keys: readonly string[]) {
    void this.everywhere.update('refusingTools', keys);
  }

  /** The context window a relay named when it refused a prompt, in tokens. */
  contextWindow(origin: string, modelId: string): number | undefined {
    return this.everywhere.get<Windows>('contextWindows', {})[origin]?.[modelId];
  }
  setContextWindow(origin: string, modelId: string, tokens: number): void {
    const windows = this.everywhere.get<Windows>('contextWindows', {});
    const ofRelay = { ...windows[origin], [modelId]: tokens };
    void this.everywhere.update('contextWindows', { ...windows, [origin]: ofRelay });
  }

  /** Whether a relay's model was seen to call tools by the protocol. */
  callsTools(origin: string, modelId: string): boolean {
    return this.everywhere.get<ToolCallers>('toolCallers', {})[origin]?.includes(modelId) ?? false;
  }
  setCallsTools(origin: string, modelId: string): void {
    if (this.callsTools(origin, modelId)) return;
    const callers = this.everywhere.get<ToolCallers>('toolCallers', {});
    void this.everywhere.update('toolCallers', {
      ...callers,
      [origin]: [...(callers[origin] ?? []), modelId],
    });
  }

  /** The models of a relay that failed by the messages protocol and answered by chat completions. */
  fallenBack(origin: string): readonly string[] {
    return this.everywhere.get<Record<string, string[]>>('fallenBack', {})[origin] ?? [];
  }
  setFallenBack(origin: string, modelIds: readonly string[]): void {
    const models = this.everywhere.get<Record<string, readonly string[]>>('fallenBack', {});
    void this.everywhere.update('fallenBack', { ...models, [origin]: modelIds });
  }

  /** What the models of a relay were found not to support of what the user may set. */
  refusedParameters(origin: string, modelId: string): readonly string[] {
    return this.everywhere.get<RefusedParameters>('refusedParameters', {})[origin]?.[modelId] ?? [];
  }
  addRefusedParameter(origin: string, modelId: string, refused: string): void {
    const all = this.everywhere.get<RefusedParameters>('refusedParameters', {});
    const ofModel = [...new Set([...this.refusedParameters(origin, modelId), refused])];
    const ofRelay = { ...all[origin], [modelId]: ofModel };
    void this.everywhere.update('refusedParameters', { ...all, [origin]: ofRelay });
  }
  forgetRefusedParameters(origin: string): void {
    const { [origin]: _old, ...others } = this.everywhere.get<RefusedParameters>('refusedParameters', {});
    void this.everywhere.update('refusedParameters', others);
  }

  /** What servers of the platform were found to want other than the spec's form. */
  readonly dialects: DialectMemory = {
    get: (origin) => this.everywhere.get<Record<string, Dialect>>('dialects', {})[origin] ?? {},
    learn: (origin, found) => {
      const dialects = this.everywhere.get<Record<string, Dialect>>('dialects', {});
      void this.everywhere.update('dialects', { ...dialects, [origin]: { ...dialects[origin], ...found } });
    },
  };

  /** Ids of the knowledge bases that were used in this workspace, the last one first. */
  recentBases(origin: string): readonly string[] {
    return this.workspace.get<Record<string, string[]>>('recentBases', {})[origin] ?? [];
  }
  useBase(origin: string, datasetId: string): void {
    const recent = this.workspace.get<Record<string, string[]>>('recentBases', {});
    const others = this.recentBases(origin).filter((id) => id !== datasetId);
    void this.workspace.update('recentBases', { ...recent, [origin]: [datasetId, ...others].slice(0, 5) });
  }

  /** How the documents of a knowledge base are cut, where that was chosen when it was created here. */
  processRule(origin: string, datasetId: string): ProcessRule | undefined {
    return this.everywhere.get<PerBase<ProcessRule>>('processRules', {})[origin]?.[datasetId];
  }
  setProcessRule(origin: string, datasetId: string, rule: ProcessRule | undefined): void {
    this.setOfBase('processRules', origin, datasetId, rule);
  }

  /** How a knowledge base is searched, where that was set here; what it is is read where it is used. */
  searchSettings(origin: string, datasetId: string): unknown {
    return this.everywhere.get<PerBase<object>>('searchSettings', {})[origin]?.[datasetId];
  }
  setSearchSettings(origin: string, datasetId: string, settings: object | undefined): void {
    this.setOfBase('searchSettings', origin, datasetId, settings);
  }

  /** Keeps something of a knowledge base, or forgets it. */
  private setOfBase(key: string, origin: string, datasetId: string, value: object | undefined): void {
    const all = this.everywhere.get<PerBase<object>>(key, {});
    const { [datasetId]: _old, ...others } = all[origin] ?? {};
    const ofServer = value ? { ...others, [datasetId]: value } : others;
    void this.everywhere.update(key, { ...all, [origin]: ofServer });
  }

  /** The platform's apps that were added, and what was last filled into the form of each. */
  readonly apps: AppStore = {
    read: () => this.everywhere.get('apps'),
    write: (value) => void this.everywhere.update('apps', value),
  };

  /** In which chat of this workspace a conversation of the platform is; the newest are remembered. */
  readonly conversationLinks = {
    get: (appId: string, conversationId: string): string | undefined =>
      this.workspace.get<Record<string, string>>('appChats', {})[`${appId} ${conversationId}`],
    set: (appId: string, conversationId: string, chatId: string): void => {
      const key = `${appId} ${conversationId}`;
      const { [key]: _old, ...others } = this.workspace.get<Record<string, string>>('appChats', {});
      const newest = Object.entries({ ...others, [key]: chatId }).slice(-maxConversationLinks);
      void this.workspace.update('appChats', Object.fromEntries(newest));
    },
  };

  /** Whom apps know the user as where no name is set; `newId` makes it up once for this installation. */
  platformUser(newId: () => string): string {
    const known = this.everywhere.get('platformUser', '');
    if (known) return known;
    const user = `switchboard-${newId()}`;
    void this.everywhere.update('platformUser', user);
    return user;
  }

  /** Ids of the models and apps that were picked last, the newest first. */
  get recentModels(): readonly string[] {
    return this.everywhere.get('recentModels', []);
  }
  useModel(modelId: string): void {
    const others = this.recentModels.filter((id) => id !== modelId);
    void this.everywhere.update('recentModels', [modelId, ...others].slice(0, maxRecentModels));
  }

  get favourites(): readonly string[] {
    return this.everywhere.get('favourites', []);
  }
  set favourites(ids: readonly string[]) {
    void this.everywhere.update('favourites', ids);
  }
}

/** By origin and model. */
type Windows = Record<string, Record<string, number>>;
/** By origin and model. */
type RefusedParameters = Record<string, Record<string, string[]>>;
/** By origin. */
type ToolCallers = Record<string, string[]>;
/** By origin and knowledge base. */
type PerBase<T> = Record<string, Record<string, T>>;
