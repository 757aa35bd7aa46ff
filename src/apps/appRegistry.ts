import * as z from 'zod/mini';
import { Emitter } from '../base/emitter.ts';
import { asObject } from '../base/json.ts';
import { loosely, orElse } from '../base/schemas.ts';
import { type AppInfo, appKinds, appLookSchema } from './app.ts';
import type { FormAnswer, FormAnswers } from './appForm.ts';

const appSchema = z.object({
  id: z.string().check(z.minLength(1)),
  /** Its key is stored under this and the id, and only ever sent there. */
  origin: z.string(),
  /** Without `/v1` and without a trailing slash. */
  baseUrl: z.string(),
  name: z.string(),
  kind: orElse(z.enum(appKinds), 'unknown'),
  description: orElse(z.string(), ''),
  look: loosely(appLookSchema),
  /** Absent until the app was asked. */
  audio: loosely(z.object({ transcribes: z.boolean(), speaks: z.boolean() })),
  addedAtMs: z.number(),
  /** The name is the user's own, so the platform's does not replace it. */
  isRenamed: z.optional(z.boolean()),
  /** Its key is the environment's: without it the app is not there. */
  isFromEnvironment: z.optional(z.boolean()),
});

/** An app the user added. Its key is elsewhere. */
export type AppRecord = z.infer<typeof appSchema>;

/** Where the registry is stored: one value, JSON. Never holds a key. */
export interface AppStore {
  read(): unknown;
  write(value: object): void;
}

/** Of an app that did not answer when it was added; it is asked again. */
export const nothingKnown: AppInfo = { name: '', description: '', kind: 'unknown', tags: [] };

/** The longest answer that is remembered, in characters; a selection pasted into a form may be a whole file. */
const maxRememberedCharacters = 10_000;

type Remembered = Record<string, string | number | boolean>;

/** The user's apps, and what they last filled into the form of each. */
export class AppRegistry {
  private readonly changed = new Emitter<void>();
  private apps: readonly AppRecord[];
  private answers: Readonly<Record<string, Remembered>>;

  /** After every change of the list; not for remembered answers. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly store: AppStore,
    private readonly newId: () => string,
    private readonly nowMs: () => number,
  ) {
    const stored = asObject(store.read());
    this.apps = readApps(stored?.['apps']);
    this.answers = readAnswers(stored?.['answers']);
  }

  /** In the order they were added. */
  get all(): readonly AppRecord[] {
    return this.apps;
  }

  find(id: string): AppRecord | undefined {
    return this.apps.find((app) => app.id === id);
  }

  /** @param environmentId for an app whose key is the environment's */
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

  /** An empty name gives the platform's back at the next `refresh`. */
  rename(id: string, name: string): void {
    const own = name.trim();
    this.change(id, (app) => ({ ...app, name: own || app.name, isRenamed: own !== '' }));
  }

  /** What the platform says of the app now. An old server that does not tell the kind leaves the one known. */
  refresh(id: string, info: AppInfo): void {
    this.change(id, (app) => ({
      ...app,
      name: app.isRenamed || !info.name ? app.name : info.name,
      kind: info.kind === 'unknown' ? app.kind : info.kind,
      description: info.description || app.description,
      look: info.look ?? app.look,
    }));
  }

  /** What its parameters say of audio. */
  setAudio(id: string, audio: AppRecord['audio']): void {
    this.change(id, (app) => ({ ...app, audio }));
  }

  /** The user gave its key, too: it stays without the environment's. */
  adopt(id: string): void {
    if (!this.find(id)?.isFromEnvironment) return;
    this.change(id, ({ isFromEnvironment: _before, ...app }) => app);
  }

  /** Its key is the caller's to remove. */
  remove(id: string): void {
    const { [id]: _gone, ...others } = this.answers;
    this.answers = others;
    this.keep(this.apps.filter((app) => app.id !== id));
  }

  /** What was filled in last; empty if nothing was. */
  lastAnswers(id: string): FormAnswers {
    return this.answers[id] ?? {};
  }

  /** Files are not remembered: the platform's ids for them do not last. */
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
    this.changed.fire();
  }

  private save(): void {
    this.store.write({ version: 1, apps: this.apps, answers: this.answers });
  }
}

/** What cannot be read is left out. So is an app whose key would go to another origin than it was entered for. */
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
