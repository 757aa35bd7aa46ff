import type { CommandRule } from '../tools/command/runCommandTool.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { AppStore } from '../apps/appRegistry.ts';
import type { AddedBase } from '../knowledge/knowledgeBases.ts';
import type { Dialect, DialectMemory } from '../platform/platformDialect.ts';
import type { StoredProfile } from '../chat/models/modelProfiles.ts';
import type { UnseenRecord } from '../chat/session/unseenTurns.ts';
import type { ProcessRule } from '../platform/documents/processRule.ts';

const maxConversationLinks = 500;
const maxRecentModels = 5;
const pauseMs = 400;

export interface Memento {
  get(key: string): unknown;
  get<T>(key: string, fallback: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A draft, and messages being edited; attachments, target and edits are parsed where they are used. */
export interface UnsentMessage {
  text: string;
  attachments?: unknown;
  target?: unknown;
  edits?: unknown;
}

/** Everything remembered between sessions; keys of the mementos occur only here. */
export class Memory {
  private readonly unwritten = new Map<string, unknown>();
  private timer: Disposable | undefined;

  constructor(
    private readonly everywhere: Memento,
    private readonly workspace: Memento,
    private readonly clock: Clock = systemClock,
    private readonly saveUnsent: (unsent: UnsentMessage) => Promise<void> = () => Promise.resolve(),
  ) {}

  get unsent(): UnsentMessage {
    const { draft: text, attachments, branchTarget: target, edits } = this;
    return {
      text,
      ...(attachments !== undefined && { attachments }),
      ...(target !== undefined && { target }),
      ...(edits !== undefined && { edits }),
    };
  }

  get draft(): string {
    return (this.unsaved('draft') as string | undefined) ?? '';
  }
  set draft(text: string) {
    this.writeAtPause('draft', text || undefined);
  }

  get branchTarget(): unknown {
    return this.workspace.get('branchTarget');
  }
  set branchTarget(target: unknown) {
    void this.workspace.update('branchTarget', target);
    void this.saveUnsent(this.unsent);
  }

  get attachments(): unknown {
    return this.unsaved('attachments');
  }
  set attachments(sources: readonly unknown[]) {
    this.writeAtPause('attachments', sources.length > 0 ? sources : undefined);
  }

  /** Messages being edited; parsed where they are used. */
  get edits(): unknown {
    return this.unsaved('edits');
  }
  set edits(edits: unknown) {
    this.writeAtPause('edits', edits);
  }

  private unsaved(key: string): unknown {
    return this.unwritten.get(key) ?? this.workspace.get(key);
  }

  async flush(): Promise<void> {
    this.timer?.dispose();
    const waiting = [...this.unwritten];
    const saved = waiting.length > 0 ? [this.saveUnsent(this.unsent)] : [];
    this.unwritten.clear();
    await Promise.all([...saved, ...waiting.map(([key, value]) => this.workspace.update(key, value))]);
  }

  /** Each write saves all of a workspace's memory. A sent draft is removed immediately, so that it doesn't come back. */
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

  get offeredApps(): readonly string[] {
    return this.everywhere.get('offeredApps', []);
  }
  set offeredApps(ids: readonly string[]) {
    void this.everywhere.update('offeredApps', ids);
  }

  /** Hosts whose pages this workspace attaches without a question. */
  get pageHosts(): readonly string[] {
    return this.workspace.get('pageHosts', []);
  }
  set pageHosts(hosts: readonly string[]) {
    void this.workspace.update('pageHosts', hosts);
  }

  get knowledgePrograms(): unknown {
    return this.everywhere.get('knowledgePrograms');
  }
  set knowledgePrograms(programs: unknown) {
    void this.everywhere.update('knowledgePrograms', programs);
  }

  get knowledgeGrants(): unknown {
    return this.workspace.get('knowledgeGrants');
  }
  set knowledgeGrants(grants: unknown) {
    void this.workspace.update('knowledgeGrants', grants);
  }

  get chatId(): string | undefined {
    return this.workspace.get('chatId') as string | undefined;
  }
  set chatId(id: string | undefined) {
    void this.workspace.update('chatId', id);
  }

  get fileMoves(): readonly { from: string; to: string }[] {
    return this.workspace.get('fileMoves', []);
  }
  set fileMoves(moves: readonly { from: string; to: string }[]) {
    void this.workspace.update('fileMoves', moves);
  }

  get unseenTurns(): UnseenRecord {
    return this.workspace.get('unseenTurns', {});
  }
  set unseenTurns(turns: UnseenRecord) {
    void this.workspace.update('unseenTurns', Object.keys(turns).length > 0 ? turns : undefined);
  }

  lastModel(origin: string): string | undefined {
    return this.ofServer('lastModels', origin) as string | undefined;
  }
  setLastModel(origin: string, modelId: string): void {
    void this.setOfServer('lastModels', origin, modelId);
  }

  unlistedModels(origin: string): readonly string[] {
    return (this.ofServer('unlistedModels', origin) as string[] | undefined) ?? [];
  }
  addUnlistedModel(origin: string, modelId: string): void {
    const models = new Set([...this.unlistedModels(origin), modelId]);
    void this.setOfServer('unlistedModels', origin, [...models]);
  }

  isUnencryptedAllowed(origin: string): boolean {
    return this.everywhere.get<string[]>('unencryptedOrigins', []).includes(origin);
  }
  allowUnencrypted(origin: string): void {
    const origins = this.everywhere.get<string[]>('unencryptedOrigins', []);
    void this.everywhere.update('unencryptedOrigins', [...new Set([...origins, origin])]);
  }

  get editorTools(): readonly string[] {
    return this.workspace.get('editorTools', []);
  }
  set editorTools(keys: readonly string[]) {
    void this.workspace.update('editorTools', keys);
  }

  get toolsOff(): readonly string[] {
    return this.workspace.get('toolsOff', []);
  }
  set toolsOff(names: readonly string[]) {
    void this.workspace.update('toolsOff', names);
  }

  /** Command lines that run in this workspace without asking. */
  get commandRules(): readonly CommandRule[] {
    return this.workspace.get('commandRules', []);
  }
  set commandRules(rules: readonly CommandRule[]) {
    void this.workspace.update('commandRules', rules);
  }

  /** Command prefixes allowed by versions up to 0.2.0; returned once. */
  takeAllowedCommands(): readonly string[] {
    const beginnings = this.workspace.get<string[]>('allowedCommands', []);
    if (beginnings.length > 0) void this.workspace.update('allowedCommands', undefined);
    return beginnings;
  }

  get suggestionModel(): string | undefined {
    return this.everywhere.get('suggestionModel') as string | undefined;
  }
  set suggestionModel(modelId: string | undefined) {
    void this.everywhere.update('suggestionModel', modelId);
  }

  get wasToldOfLines(): boolean {
    return this.everywhere.get('toldOfCommandLines', false);
  }
  set wasToldOfLines(wasTold: boolean) {
    void this.everywhere.update('toldOfCommandLines', wasTold);
  }

  get isSetupSkipped(): boolean {
    return this.everywhere.get('setupSkipped', false);
  }
  set isSetupSkipped(isSkipped: boolean) {
    void this.everywhere.update('setupSkipped', isSkipped);
  }

  get isActiveEditorOff(): boolean {
    return this.workspace.get('activeEditorOff', false);
  }
  set isActiveEditorOff(isOff: boolean) {
    void this.workspace.update('activeEditorOff', isOff || undefined);
  }

  get instructionsOff(): readonly string[] {
    return this.workspace.get('instructionsOff', []);
  }
  set instructionsOff(paths: readonly string[]) {
    void this.workspace.update('instructionsOff', paths);
  }

  /** Tools of other extensions that only work in the editor's chat, each with its version. */
  get refusingTools(): readonly string[] {
    return this.everywhere.get('refusingTools', []);
  }
  set refusingTools(keys: readonly string[]) {
    void this.everywhere.update('refusingTools', keys);
  }

  get mcpServerTools(): readonly (readonly [server: string, tool: string])[] {
    return this.everywhere.get('mcpServerTools', []);
  }
  set mcpServerTools(tools: readonly (readonly [server: string, tool: string])[]) {
    void this.everywhere.update('mcpServerTools', tools);
  }

  profiles(origin: string): Readonly<Record<string, StoredProfile>> {
    return (this.ofServer('modelProfiles', origin) as Record<string, StoredProfile> | undefined) ?? {};
  }
  setProfiles(origin: string, profiles: Readonly<Record<string, StoredProfile>>): void {
    void this.setOfServer('modelProfiles', origin, profiles);
  }

  readonly dialects: DialectMemory = {
    get: (origin) => (this.ofServer('dialects', origin) as Dialect | undefined) ?? {},
    learn: (origin, found) =>
      void this.setOfServer('dialects', origin, { ...this.dialects.get(origin), ...found }),
  };

  /** Knowledge bases added by hand, for keys that can't list them. */
  addedBases(origin: string): readonly AddedBase[] {
    return (this.ofServer('addedBases', origin) as AddedBase[] | undefined) ?? [];
  }
  async setAddedBases(origin: string, bases: readonly AddedBase[]): Promise<void> {
    await this.setOfServer('addedBases', origin, bases);
  }

  async removeAddedBase(origin: string, datasetId: string): Promise<void> {
    const bases = this.addedBases(origin);
    const left = bases.filter(({ id }) => id !== datasetId);
    if (left.length < bases.length) await this.setAddedBases(origin, left);
  }

  recentBases(origin: string): readonly string[] {
    return this.workspace.get<Record<string, string[]>>('recentBases', {})[origin] ?? [];
  }
  useBase(origin: string, datasetId: string): void {
    const recent = this.workspace.get<Record<string, string[]>>('recentBases', {});
    const others = this.recentBases(origin).filter((id) => id !== datasetId);
    void this.workspace.update('recentBases', { ...recent, [origin]: [datasetId, ...others].slice(0, 5) });
  }

  processRule(origin: string, datasetId: string): ProcessRule | undefined {
    return (this.ofServer('processRules', origin) as PerBase<ProcessRule> | undefined)?.[datasetId];
  }
  setProcessRule(origin: string, datasetId: string, rule: ProcessRule | undefined): void {
    this.setOfBase('processRules', origin, datasetId, rule);
  }

  searchSettings(origin: string, datasetId: string): unknown {
    return (this.ofServer('searchSettings', origin) as PerBase<object> | undefined)?.[datasetId];
  }
  setSearchSettings(origin: string, datasetId: string, settings: object | undefined): void {
    this.setOfBase('searchSettings', origin, datasetId, settings);
  }

  pipelineInputs(origin: string, datasetId: string): unknown {
    return (this.ofServer('pipelineInputs', origin) as PerBase<object> | undefined)?.[datasetId];
  }
  setPipelineInputs(origin: string, datasetId: string, inputs: object | undefined): void {
    this.setOfBase('pipelineInputs', origin, datasetId, inputs);
  }

  private setOfBase(key: string, origin: string, datasetId: string, value: object | undefined): void {
    const { [datasetId]: _old, ...others } =
      (this.ofServer(key, origin) as PerBase<object> | undefined) ?? {};
    void this.setOfServer(key, origin, value ? { ...others, [datasetId]: value } : others);
  }

  private ofServer(key: string, origin: string): unknown {
    return this.everywhere.get<Record<string, unknown>>(key, {})[origin];
  }
  private setOfServer(key: string, origin: string, value: unknown): PromiseLike<void> {
    const all = this.everywhere.get<Record<string, unknown>>(key, {});
    return this.everywhere.update(key, { ...all, [origin]: value });
  }

  readonly apps: AppStore = {
    read: () => this.everywhere.get('apps'),
    write: (value) => void this.everywhere.update('apps', value),
  };

  /** Local conversations of this workspace by platform conversation; the newest are kept. */
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

  /** The user name sent to apps if none is set; generated once per installation. */
  platformUser(newId: () => string): string {
    const known = this.everywhere.get('platformUser', '');
    if (known) return known;
    const user = `switchboard-${newId()}`;
    void this.everywhere.update('platformUser', user);
    return user;
  }

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

type PerBase<T> = Record<string, T>;
