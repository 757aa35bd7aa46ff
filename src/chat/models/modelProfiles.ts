import { Emitter } from '../../base/emitter.ts';
import type { Model, Protocol, ProtocolSetting } from '../../relay/messages.ts';
import {
  channelFacts,
  type FactName,
  type FactSource,
  type ModelFacts,
  type ModelProfiles,
} from '../../relay/profile/modelFacts.ts';
import type { ModelOverride } from '../../relay/list/modelOverrides.ts';

export interface StoredFact {
  value: unknown;
  source: FactSource;
  atMs: number;
}

export interface StoredProfile {
  facts: Readonly<Partial<Record<FactName, StoredFact>>>;
  /** See `fingerprintOf`; absent until the list is loaded. */
  listed?: string;
}

export interface ProfileMemory {
  profiles(origin: string): Readonly<Record<string, StoredProfile>>;
  setProfiles(origin: string, profiles: Readonly<Record<string, StoredProfile>>): void;
}

export interface KnownFact {
  name: FactName;
  value: unknown;
  source: FactSource | 'setting' | 'list';
  /** Epoch ms; absent for settings and the list. */
  atMs?: number;
}

export interface ProfileDependencies {
  memory: ProfileMemory;
  listed(origin: string, modelId: string): Model | undefined;
  override(origin: string, modelId: string): ModelOverride | undefined;
  protocol(): ProtocolSetting;
  now(): number;
}

/** Model profiles of all relays: settings override findings, which override the list. */
export class RelayProfiles {
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  private readonly session = new Map<string, Partial<Record<FactName, StoredFact>>>();

  constructor(private readonly deps: ProfileDependencies) {}

  of(origin: string): ModelProfiles {
    const { deps } = this;
    return {
      facts: (modelId) => this.facts(origin, modelId),
      learn: (modelId, facts, source) => this.learn(origin, modelId, facts, source),
      chosenProtocol: (modelId) => this.chosenProtocol(origin, modelId),
      extras: (modelId) => deps.override(origin, modelId),
    };
  }

  facts(origin: string, modelId: string): ModelFacts {
    return Object.fromEntries(this.known(origin, modelId).map(({ name, value }) => [name, value]));
  }

  known(origin: string, modelId: string): KnownFact[] {
    const { deps } = this;
    const known = new Map<FactName, KnownFact>();
    const add = (
      source: 'setting' | 'list',
      { vision, toolCalling, contextWindow }: Partial<ModelOverride> = {},
    ) => {
      for (const [name, value] of Object.entries({ vision, toolCalling, contextWindow })) {
        if (value !== undefined) known.set(name as FactName, { name: name as FactName, value, source });
      }
    };
    const listed = deps.listed(origin, modelId);
    add('list', listed);
    if (listed?.protocol) known.set('protocol', { name: 'protocol', value: listed.protocol, source: 'list' });
    for (const [name, fact] of Object.entries(this.found(origin, modelId))) {
      known.set(name as FactName, { name: name as FactName, ...fact });
    }
    const override = deps.override(origin, modelId);
    add('setting', override);
    for (const [name, value] of Object.entries(override?.form ?? {})) {
      known.set(name as FactName, { name: name as FactName, value, source: 'setting' });
    }
    const protocol = this.chosenProtocol(origin, modelId);
    if (protocol) known.set('protocol', { name: 'protocol', value: protocol, source: 'setting' });
    return [...known.values()];
  }

  learntWindow(origin: string, modelId: string): number | undefined {
    const value = this.found(origin, modelId).contextWindow?.value;
    return typeof value === 'number' ? value : undefined;
  }

  learn(origin: string, modelId: string, facts: ModelFacts, source: FactSource): void {
    const atMs = this.deps.now();
    const entries = Object.entries(facts) as [FactName, unknown][];
    const known = this.found(origin, modelId);
    const news = entries.filter(([name, value]) => !isSame(known[name]?.value, value));
    if (news.length === 0) return;
    const toFacts = (some: typeof news) =>
      Object.fromEntries(some.map(([name, value]) => [name, { value, source, atMs }]));
    const ofChannel = news.filter(([name]) => channelFacts.has(name));
    const ofModel = news.filter(([name]) => !channelFacts.has(name));
    const key = keyOf(origin, modelId);
    if (ofChannel.length > 0) this.session.set(key, { ...this.session.get(key), ...toFacts(ofChannel) });
    if (ofModel.length > 0) {
      const profiles = this.deps.memory.profiles(origin);
      const profile = profiles[modelId];
      const learnt = { ...profile, facts: { ...profile?.facts, ...toFacts(ofModel) } };
      this.deps.memory.setProfiles(origin, { ...profiles, [modelId]: learnt });
    }
    this.changes.fire();
  }

  forget(origin: string, modelId?: string): void {
    const profiles = this.deps.memory.profiles(origin);
    const forgotten = modelId === undefined ? Object.keys(profiles) : [modelId];
    const rest = Object.entries(profiles).filter(([id]) => !forgotten.includes(id));
    if (rest.length < Object.keys(profiles).length) {
      this.deps.memory.setProfiles(origin, Object.fromEntries(rest));
    }
    for (const key of this.session.keys()) {
      if (modelId === undefined ? key.startsWith(keyOf(origin, '')) : key === keyOf(origin, modelId)) {
        this.session.delete(key);
      }
    }
    this.changes.fire();
  }

  follow(origin: string, models: readonly Model[]): void {
    const profiles = this.deps.memory.profiles(origin);
    const listed = new Map(models.map((model) => [model.id, fingerprintOf(model)]));
    const current = Object.entries(profiles).flatMap(([id, profile]) => {
      const fingerprint = listed.get(id) ?? unlisted;
      if (profile.listed !== undefined && profile.listed !== fingerprint) return [];
      return [[id, { ...profile, listed: fingerprint }] as const];
    });
    if (isSame(Object.fromEntries(current), profiles)) return;
    this.deps.memory.setProfiles(origin, Object.fromEntries(current));
    this.changes.fire();
  }

  private chosenProtocol(origin: string, modelId: string): Protocol | undefined {
    const setting = this.deps.protocol();
    return this.deps.override(origin, modelId)?.protocol ?? (setting === 'auto' ? undefined : setting);
  }

  private found(origin: string, modelId: string): Partial<Record<FactName, StoredFact>> {
    const stored = this.deps.memory.profiles(origin)[modelId]?.facts;
    return { ...stored, ...this.session.get(keyOf(origin, modelId)) };
  }
}

const unlisted = 'unlisted';

/** Fields that determine how a model is served; name and price may change. */
function fingerprintOf({ vendor, contextWindow, toolCalling, vision, reasoning, protocol }: Model): string {
  return JSON.stringify([vendor, contextWindow, toolCalling, vision, reasoning, protocol]);
}

function keyOf(origin: string, modelId: string): string {
  return `${origin} ${modelId}`;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
