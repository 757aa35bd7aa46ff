import * as z from 'zod/mini';
import { asObject } from '../base/json.ts';
import { loosely, orElse } from '../base/lenientSchemas.ts';
import { consoleOf } from '../connections/otherAddresses.ts';
import { type AppInfo, appKinds, appLookSchema } from './app.ts';
import type { FormAnswer, FormAnswers } from './appForm.ts';

const pinSchema = z.object({ field: z.string(), output: z.enum(['replace', 'insert', 'open']) });
export type AppPin = z.infer<typeof pinSchema>;

const appSchema = z.object({
  id: z.string().check(z.minLength(1)),
  /** The key is stored under this origin and the id, and only ever sent there. */
  origin: z.string(),
  baseUrl: z.string(),
  name: z.string(),
  kind: orElse(z.enum(appKinds), 'unknown'),
  description: orElse(z.string(), ''),
  look: loosely(appLookSchema),
  audio: loosely(z.object({ transcribes: z.boolean(), speaks: z.boolean() })),
  addedAtMs: z.number(),
  isRenamed: z.optional(z.boolean()),
  /** True if the key is the environment's; without it the app is not listed. */
  isFromEnvironment: z.optional(z.boolean()),
  account: loosely(z.object({ accountId: z.string(), appId: z.string(), workspace: z.string() })),
  pin: loosely(pinSchema),
});

export type AppRecord = z.infer<typeof appSchema>;

/** Storage of the registry: one JSON value without keys. */
export interface AppStore {
  read(): unknown;
  write(value: object): void;
}

export const nothingKnown: AppInfo = { name: '', description: '', kind: 'unknown', tags: [] };

/** Longest remembered answer, in characters; a pasted selection may be a whole file. */
const maxRememberedCharacters = 10_000;

type Remembered = Record<string, string | number | boolean>;

export class AppRegistry {
  private apps: readonly AppRecord[];
  private answers: Readonly<Record<string, Remembered>>;

  constructor(
    private readonly store: AppStore,
    private readonly newId: () => string,
    private readonly nowMs: () => number,
  ) {
    const stored = asObject(store.read());
    this.apps = readApps(stored?.['apps']);
    this.answers = readAnswers(stored?.['answers']);
  }

  get all(): readonly AppRecord[] {
    return this.apps;
  }

  find(id: string): AppRecord | undefined {
    return this.apps.find((app) => app.id === id);
  }

  /** Apps of sign-ins that are here by key, too, by that app's id. No route tells, so every fact must match. */
  twins(): Map<string, AppRecord> {
    const groups = new Map<string, AppRecord[]>();
    for (const app of this.apps) {
      const { baseUrl, kind, name, description, isRenamed } = app;
      if (isRenamed) continue;
      const { origin } = new URL(consoleOf(baseUrl) ?? baseUrl);
      const group = JSON.stringify([origin, kind, name, description]);
      groups.set(group, [...(groups.get(group) ?? []), app]);
    }
    const twins = new Map<string, AppRecord>();
    for (const alike of groups.values()) {
      const own = alike.find(({ account }) => !account);
      const twin = alike.find(({ account }) => account);
      if (own && twin && alike.length === 2) twins.set(own.id, twin);
    }
    return twins;
  }

  add({ baseUrl, info }: { baseUrl: string; info: AppInfo }, environmentId?: string): AppRecord {
    const app: AppRecord = {
      id: environmentId ?? this.newId(),
      origin: new URL(baseUrl).origin,
      baseUrl,
      name: info.name || new URL(baseUrl).host,
      kind: info.kind,
      description: info.description,
      ...(info.look && { look: info.look }),
      addedAtMs: this.nowMs(),
      ...(environmentId !== undefined && { isFromEnvironment: true }),
    };
    this.keep([...this.apps, app]);
    return app;
  }

  rename(id: string, name: string): void {
    const own = name.trim();
    this.change(id, (app) => ({ ...app, name: own || app.name, isRenamed: own !== '' }));
  }

  /** Stores the platform's description. Old servers without a kind keep the known one. */
  refresh(id: string, info: AppInfo): void {
    this.change(id, (app) => ({
      ...app,
      name: app.isRenamed || !info.name ? app.name : info.name,
      kind: info.kind === 'unknown' ? app.kind : info.kind,
      description: info.description || app.description,
      look: info.look ?? app.look,
    }));
  }

  pin(id: string, pin: AppPin | undefined): void {
    this.change(id, (app) => ({ ...app, pin }));
  }

  setAudio(id: string, audio: AppRecord['audio']): void {
    this.change(id, (app) => ({ ...app, audio }));
  }

  /** Keeps an environment app whose key the user gave as well. */
  adopt(id: string): void {
    if (!this.find(id)?.isFromEnvironment) return;
    this.change(id, ({ isFromEnvironment: _before, ...app }) => app);
  }

  /** Replaces the apps of sign-ins at an origin. Their names and looks here stay. */
  replaceAccountApps(origin: string, found: readonly AppRecord[]): void {
    const others = this.apps.filter((app) => !app.account || app.origin !== origin);
    const kept = found.map((app): AppRecord => {
      const known = this.find(app.id);
      if (!known) return app;
      const { addedAtMs, look, isRenamed, pin } = known;
      const name = isRenamed ? known.name : app.name;
      return { ...app, name, addedAtMs, ...(look && { look }), ...(isRenamed && { isRenamed }), pin };
    });
    this.keep([...others, ...kept]);
  }

  /** Removes the app; its key is the caller's to remove. */
  remove(id: string): void {
    const { [id]: _gone, ...others } = this.answers;
    this.answers = others;
    this.keep(this.apps.filter((app) => app.id !== id));
  }

  lastAnswers(id: string): FormAnswers {
    return this.answers[id] ?? {};
  }

  /** Remembers answers except files, whose platform ids expire. */
  rememberAnswers(id: string, answers: FormAnswers): void {
    if (!this.find(id)) return;
    const kept = Object.entries(answers).filter((entry): entry is [string, string | number | boolean] =>
      isRemembered(entry[1]),
    );
    this.answers = { ...this.answers, [id]: Object.fromEntries(kept) };
    this.save();
  }

  private change(id: string, change: (app: AppRecord) => AppRecord): void {
    if (this.find(id)) this.keep(this.apps.map((app) => (app.id === id ? change(app) : app)));
  }

  private keep(apps: readonly AppRecord[]): void {
    this.apps = apps;
    this.save();
  }

  private save(): void {
    this.store.write({ version: 1, apps: this.apps, answers: this.answers });
  }
}

/** Drops unreadable entries, and apps whose key would go to another origin than it was entered for. */
function readApps(value: unknown): AppRecord[] {
  const apps = new Map<string, AppRecord>();
  for (const item of Array.isArray(value) ? (value as unknown[]) : []) {
    const { data: app } = appSchema.safeParse(item);
    if (app && URL.canParse(app.baseUrl) && new URL(app.baseUrl).origin === app.origin) apps.set(app.id, app);
  }
  return [...apps.values()];
}

function readAnswers(value: unknown): Record<string, Remembered> {
  const { data = {} } = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(value);
  return Object.fromEntries(
    Object.entries(data).map(([id, answers]) => [
      id,
      Object.fromEntries(
        Object.entries(answers).filter((entry): entry is [string, string | number | boolean] =>
          isRemembered(entry[1]),
        ),
      ),
    ]),
  );
}

function isRemembered(answer: unknown): answer is Exclude<FormAnswer, readonly unknown[]> {
  if (typeof answer === 'string') return answer.length <= maxRememberedCharacters;
  return typeof answer === 'number' || typeof answer === 'boolean';
}
