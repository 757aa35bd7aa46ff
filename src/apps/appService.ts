import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { lazy } from '../base/async/lazy.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import type { KeySlot } from '../connections/keyStore.ts';
import type { PlatformConnection } from '../platform/platformCall.ts';
import type { AccountAppsDependencies } from './accountApps.ts';
import type { AppInfo } from './app.ts';
import type { FormAnswers } from './appForm.ts';
import type { AppPin, AppRecord, AppRegistry, AppStore } from './appRegistry.ts';
import type { PictureFiles } from '../base/files/pictureFiles.ts';
import type { ChatApp } from './chatApp.ts';
import type { DescribedApp } from './describeApp.ts';
import type { AppClient } from './client/appClient.ts';
import type { EnvironmentApps } from './environmentApps.ts';
import type { LocalFiles } from './fileReferences.ts';

export interface AppServiceDependencies extends AccountAppsDependencies {
  store: AppStore;
  createClient(connection: PlatformConnection, user: string): Promise<AppClient>;
  environment: NodeJS.ProcessEnv;
  log: Log;
  pictureFolder: string;
  user(): string;
  newId(): string;
  now(): number;
  files(): Promise<LocalFiles>;
  streams(): boolean;
}

/** The user's apps with their keys and clients; every change goes through here. */
export class AppService implements Disposable {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  readonly ready: Promise<void>;
  private registry: AppRegistry | undefined;
  /** By the id of the app with a key. */
  private twins: ReadonlyMap<string, AppRecord> = new Map();
  private readonly clients = new Map<string, { access: Access; client: Promise<AppClient> }>();
  private readonly opened = new Map<string, ChatApp>();
  private readonly listening: Disposable;
  private environment: EnvironmentApps | undefined;

  constructor(private readonly deps: AppServiceDependencies) {
    // Other windows' changes show only as changed keys.
    this.listening = deps.keys.onDidChange(() => void this.reload());
    this.ready = this.load();
    void this.ready.then(() => this.discover());
  }

  get apps(): readonly AppRecord[] {
    return (this.registry?.all ?? []).filter((app) => this.isHere(app));
  }

  /** Without the apps of sign-ins that are used by their key, which can do more. */
  get listed(): readonly AppRecord[] {
    const hidden = new Set([...this.twins.values()].map(({ id }) => id));
    return this.apps.filter(({ id }) => !hidden.has(id));
  }

  /** The same app by a sign-in, which alone gives its DSL. */
  twinOf(appId: string): AppRecord | undefined {
    return this.twins.get(appId);
  }

  find(appId: string): AppRecord | undefined {
    return this.apps.find(({ id }) => id === appId);
  }

  async discover(): Promise<void> {
    await this.environment?.discover({
      kindOf: (id) => this.find(id)?.kind,
      findByKey: (connection) => this.findByKey(connection),
      tryOut: (connection) => this.tryOut(connection),
      describe: async (...app) => (await this.describe(...app)).info,
      change: (change) => this.change(change),
      log: this.deps.log,
    });
  }

  /** The same client until its key or the user changes. Throws a `SwitchboardError` without the app or its key. */
  async client(appId: string): Promise<AppClient> {
    await this.ready;
    const app = this.find(appId);
    if (!app) {
      throw new SwitchboardError(
        // Removing an app removes its key.
        'key',
        l10n.t('This app was removed from Switchboard. Add it again, or choose another one.'),
      );
    }
    if (app.account) return (await this.account()).client(app);
    const key = await this.keyOf(app);
    if (!key) {
      throw new SwitchboardError(
        'key',
        l10n.t('There is no saved key for the app "{0}". Add the app again with its key.', app.name),
      );
    }
    const access = { baseUrl: app.baseUrl, key, user: this.deps.user() };
    const kept = this.clients.get(appId);
    if (kept && isSame(kept.access, access)) return kept.client;
    const client = this.noting(appId, this.tryOut(access));
    this.clients.set(appId, { access, client });
    return client;
  }

  /** The app as conversations use it, always the same object. Loads its code at first use. */
  async open(appId: string): Promise<ChatApp> {
    const { PlatformChatApp } = await import('./chatApp.ts');
    const { files, streams } = this.deps;
    const app = this.opened.get(appId) ?? new PlatformChatApp(appId, { apps: this, files, streams });
    this.opened.set(appId, app);
    return app;
  }

  tryOut({ baseUrl, key }: PlatformConnection): Promise<AppClient> {
    return this.deps.createClient({ baseUrl, key }, this.deps.user());
  }

  async keyed(apps: readonly AppRecord[]): Promise<AppRecord[]> {
    const keyed = await Promise.all(apps.map((app) => this.hasKey(app)));
    return apps.filter((_, index) => keyed[index]);
  }

  async hasKey(app: AppRecord): Promise<boolean> {
    return (await this.keyOf(app)) !== undefined;
  }

  async findByKey({ baseUrl, key }: PlatformConnection): Promise<AppRecord | undefined> {
    for (const app of this.apps) {
      if (app.baseUrl === baseUrl && !app.account && (await this.keyOf(app)) === key) return app;
    }
    return undefined;
  }

  async describe(
    client: AppClient,
    info: AppInfo,
    signal: AbortSignal,
    known?: AppRecord,
  ): Promise<DescribedApp> {
    const { describeApp } = await import('./describeApp.ts');
    return describeApp(client, info, await this.pictures(), known?.look, signal);
  }

  pictureFile({ look }: AppRecord): string | undefined {
    return look?.picture && join(this.deps.pictureFolder, look.picture.file);
  }

  async readPicture({ look }: AppRecord): Promise<Uint8Array | undefined> {
    return look?.picture && (await this.pictures()).read(look.picture.file);
  }

  async add({ baseUrl, key }: PlatformConnection, info: AppInfo): Promise<AppRecord> {
    const app = await this.change((registry) => registry.add({ baseUrl, info }));
    await this.setKey(app, key);
    return app;
  }

  async setKey(app: AppRecord, key: string): Promise<void> {
    await this.change((registry) => registry.adopt(app.id));
    await this.deps.keys.set(slotOf(app), key);
  }

  async rename(appId: string, name: string): Promise<void> {
    await this.change((registry) => registry.rename(appId, name));
  }

  pin(appId: string, pin: AppPin | undefined): Promise<void> {
    return this.change((registry) => registry.pin(appId, pin));
  }

  async refresh(appId: string, info: AppInfo): Promise<void> {
    await this.change((registry) => registry.refresh(appId, info));
  }

  /** Removes the app and its key here. The platform's data stays. */
  async remove(app: AppRecord): Promise<void> {
    await this.change((registry) => registry.remove(app.id));
    this.clients.delete(app.id);
    this.opened.delete(app.id);
    await this.deps.keys.forget(slotOf(app));
    const { picture } = app.look ?? {};
    const isUsed = this.registry?.all.some(({ look }) => look?.picture?.file === picture?.file);
    if (picture && !isUsed) await (await this.pictures()).remove(picture.file);
  }

  keepAccountApps(origin: string, apps: readonly AppRecord[]): Promise<void> {
    return this.change((registry) => registry.replaceAccountApps(origin, apps));
  }

  lastAnswers(appId: string): FormAnswers {
    return this.registry?.lastAnswers(appId) ?? {};
  }

  async rememberAnswers(appId: string, answers: FormAnswers): Promise<void> {
    const registry = await this.read();
    registry.rememberAnswers(appId, answers);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private readonly account = lazy(async () => new (await import('./accountApps.ts')).AccountApps(this.deps));

  private async pictures(): Promise<PictureFiles> {
    const { PictureFiles } = await import('../base/files/pictureFiles.ts');
    return new PictureFiles(this.deps.pictureFolder);
  }

  private async keyOf(app: AppRecord): Promise<string | undefined> {
    if (app.account) return (await this.account()).token(app);
    return (await this.deps.keys.get(slotOf(app))) ?? this.environment?.keyOf(app);
  }

  /** Records audio features whenever parameters are read, so menus offer only those that are on. */
  private async noting(appId: string, asked: Promise<AppClient>): Promise<AppClient> {
    const client = await asked;
    return {
      ...client,
      parameters: async (signal) => {
        const parameters = await client.parameters(signal);
        const { transcribes = false, speaks = false } = parameters;
        const { audio } = this.find(appId) ?? {};
        if (audio?.transcribes !== transcribes || audio.speaks !== speaks) {
          await this.change((registry) => registry.setAudio(appId, { transcribes, speaks }));
        }
        return parameters;
      },
    };
  }

  private isHere(app: AppRecord): boolean {
    return !app.isFromEnvironment || this.environment?.keyOf(app) !== undefined;
  }

  private async load(): Promise<void> {
    if (this.deps.environment['SWITCHBOARD_APP_KEYS']) {
      const { EnvironmentApps } = await import('./environmentApps.ts');
      this.environment = new EnvironmentApps(this.deps.environment);
    }
    await this.reload();
  }

  private async reload(): Promise<void> {
    if (this.deps.store.read() === undefined) return;
    await this.pair(await this.read());
    this.changes.fire();
  }

  /** Reads the list again before a change, because other windows write to the same place. */
  private async change<T>(change: (registry: AppRegistry) => T): Promise<T> {
    const registry = await this.read();
    const result = change(registry);
    await this.pair(registry);
    this.changes.fire();
    return result;
  }

  /** An app whose key was removed can't stand in for its twin. */
  private async pair(registry: AppRegistry): Promise<void> {
    const found = [...registry.twins()];
    const keys = await Promise.all(
      found.map(async ([id]) => {
        const app = this.find(id);
        return app && this.keyOf(app);
      }),
    );
    this.twins = new Map(found.filter((_, index) => keys[index] !== undefined));
  }

  private async read(): Promise<AppRegistry> {
    const { AppRegistry } = await import('./appRegistry.ts');
    const { store, newId, now } = this.deps;
    this.registry = new AppRegistry(store, newId, now);
    return this.registry;
  }
}

interface Access extends PlatformConnection {
  user: string;
}

function isSame(a: Access, b: Access): boolean {
  return a.baseUrl === b.baseUrl && a.key === b.key && a.user === b.user;
}

function slotOf({ id, origin }: AppRecord): KeySlot {
  return { kind: `app:${id}`, origin };
}
