import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { SwitchboardError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { KeySlot, KeyStore } from '../connections/keyStore.ts';
import type { PlatformConnection } from '../platform/platformCall.ts';
import type { AppInfo } from './app.ts';
import type { FormAnswers } from './appForm.ts';
import type { AppRecord, AppRegistry, AppStore } from './appRegistry.ts';
import type { AppPictures } from './appPictures.ts';
import type { ChatApp } from './chatApp.ts';
import type { DescribedApp } from './describeApp.ts';
import type { AppClient } from './client/appClient.ts';
import type { EnvironmentApps } from './environmentApps.ts';
import type { LocalFiles } from './fileReferences.ts';

export interface AppServiceDependencies {
  store: AppStore;
  keys: KeyStore;
  /** Loads the client's code with the first call. */
  createClient(connection: PlatformConnection, user: string): Promise<AppClient>;
  /** Of the extension host: may hold keys of apps. */
  environment: NodeJS.ProcessEnv;
  log: Log;
  /** Where the pictures of apps are kept, of all windows. */
  pictureFolder: string;
  /** Whose conversations the apps keep. */
  user(): string;
  newId(): string;
  now(): number;
  /** The workspace's files, behind the file policy; loaded when one is sent. */
  files(): Promise<LocalFiles>;
  /** Whether answers come as they are written. */
  streams(): boolean;
}

/**
 * The user's apps, their keys, and a client for each: what is added, renamed and removed goes through here. The list
 * itself is an `AppRegistry`, whose code is loaded only when there is an app.
 */
export class AppService implements Disposable {
  private readonly changes = new Emitter<void>();
  /** After every change of the list. */
  readonly onDidChange = this.changes.event;
  /** Resolves when what was saved is read. */
  readonly ready: Promise<void>;
  private registry: AppRegistry | undefined;
  private readonly clients = new Map<string, { access: Access; client: Promise<AppClient> }>();
  private readonly opened = new Map<string, ChatApp>();
  private readonly listening: Disposable;
  /** Loaded when the environment has keys. */
  private environment: EnvironmentApps | undefined;

  constructor(private readonly deps: AppServiceDependencies) {
    // Of an app that another window added or removed nothing else tells.
    this.listening = deps.keys.onDidChange(() => void this.reload());
    this.ready = this.load();
    void this.ready.then(() => this.discover());
  }

  /** In the order they were added. Empty until `ready`. */
  get apps(): readonly AppRecord[] {
    return (this.registry?.all ?? []).filter((app) => this.isHere(app));
  }

  find(appId: string): AppRecord | undefined {
    return this.apps.find(({ id }) => id === appId);
  }

  /** Asks the environment's apps that are not known yet what they are. */
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

  /** The same one until its key or the user changes. Throws a `SwitchboardError` without the app or its key. */
  async client(appId: string): Promise<AppClient> {
    await this.ready;
    const app = this.find(appId);
    if (!app) {
      throw new SwitchboardError(
        // Its key went with it.
        'key',
        l10n.t('This app was removed from Switchboard. Add it again, or choose another one.'),
      );
    }
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

  /** The app as conversations use it, the same one every time. Its code is loaded with the first. */
  async open(appId: string): Promise<ChatApp> {
    const { createChatApp } = await import('./chatApp.ts');
    const { files, streams } = this.deps;
    const app = this.opened.get(appId) ?? createChatApp(appId, { apps: this, files, streams });
    this.opened.set(appId, app);
    return app;
  }

  /** A client for an app that is not saved, or not yet. */
  tryOut({ baseUrl, key }: PlatformConnection): Promise<AppClient> {
    return this.deps.createClient({ baseUrl, key }, this.deps.user());
  }

  /** Those of them for which a key is saved. */
  async keyed(apps: readonly AppRecord[]): Promise<AppRecord[]> {
    const keyed = await Promise.all(apps.map((app) => this.hasKey(app)));
    return apps.filter((_, index) => keyed[index]);
  }

  /** Whether a key is saved for the app. */
  async hasKey(app: AppRecord): Promise<boolean> {
    return (await this.keyOf(app)) !== undefined;
  }

  /** The app that this key at this address opens, if it is saved. */
  async findByKey({ baseUrl, key }: PlatformConnection): Promise<AppRecord | undefined> {
    for (const app of this.apps) {
      if (app.baseUrl === baseUrl && (await this.keyOf(app)) === key) return app;
    }
    return undefined;
  }

  /** Adds what the app's site says. @param known the app, if it was added before: then its picture may be there */
  async describe(
    client: AppClient,
    info: AppInfo,
    signal: AbortSignal,
    known?: AppRecord,
  ): Promise<DescribedApp> {
    const { describeApp } = await import('./describeApp.ts');
    return describeApp(client, info, await this.pictures(), known?.look, signal);
  }

  /** The file of an app's picture, for the editor to show; undefined for one that has none. */
  pictureFile({ look }: AppRecord): string | undefined {
    return look?.picture && join(this.deps.pictureFolder, look.picture.file);
  }

  /** Undefined if the app has none, or it is not there any more. */
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

  /** Takes over what the platform says of the app now. */
  async refresh(appId: string, info: AppInfo): Promise<void> {
    await this.change((registry) => registry.refresh(appId, info));
  }

  /** Forgets the app with its key. What the platform keeps of it stays there. */
  async remove(app: AppRecord): Promise<void> {
    await this.change((registry) => registry.remove(app.id));
    this.clients.delete(app.id);
    this.opened.delete(app.id);
    await this.deps.keys.forget(slotOf(app));
    const { picture } = app.look ?? {};
    const isUsed = this.registry?.all.some(({ look }) => look?.picture?.file === picture?.file);
    if (picture && !isUsed) await (await this.pictures()).remove(picture.file);
  }

  /** What was filled into its form last; empty if nothing was. */
  lastAnswers(appId: string): FormAnswers {
    return this.registry?.lastAnswers(appId) ?? {};
  }

  /** Files are not remembered. */
  async rememberAnswers(appId: string, answers: FormAnswers): Promise<void> {
    const registry = await this.read();
    registry.rememberAnswers(appId, answers);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async pictures(): Promise<AppPictures> {
    const { AppPictures } = await import('./appPictures.ts');
    return new AppPictures(this.deps.pictureFolder);
  }

  private async keyOf(app: AppRecord): Promise<string | undefined> {
    return (await this.deps.keys.get(slotOf(app))) ?? this.environment?.keyOf(app);
  }

  /** Its menu offers no audio that its parameters have said to be off, for whatever they were asked for. */
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
    await this.read();
    this.changes.fire();
  }

  /** What is changed is read again first, because other windows write to the same place. */
  private async change<T>(change: (registry: AppRegistry) => T): Promise<T> {
    const result = change(await this.read());
    this.changes.fire();
    return result;
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
