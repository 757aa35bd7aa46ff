import type { Event } from '../base/emitter.ts';

/** Apps and header secrets (by name) have a slot each. A proxy uses its origin, a passphrase its file's address. */
export type KeyKind =
  | 'relay'
  | 'dataset'
  | `app:${string}`
  | `header:${string}`
  | 'proxy'
  | 'passphrase'
  | 'session';

export interface KeySlot {
  kind: KeyKind;
  /** A key is never sent to another origin. Further keys of a server carry a number, see `readPlace`. */
  origin: string;
}

/** The list of slots is itself a secret, because older editors cannot list secrets. */
const indexName = 'slots';

export interface Secrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  /** Fires for changes made in any window. */
  onDidChange: Event<unknown>;
}

/** Keys in SecretStorage, a slot per kind and origin. Nothing else ever holds a key. */
export class KeyStore {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly secrets: Secrets) {}

  get onDidChange(): Event<unknown> {
    return this.secrets.onDidChange;
  }

  async get(slot: KeySlot): Promise<string | undefined> {
    return this.secrets.get(nameOf(slot));
  }

  set(slot: KeySlot, key: string): Promise<void> {
    return this.change(slot, async (others) => {
      await this.write([...others, slot]);
      await this.secrets.store(nameOf(slot), key);
    });
  }

  forget(slot: KeySlot): Promise<void> {
    return this.change(slot, async (others) => {
      await this.secrets.delete(nameOf(slot));
      await this.write(others);
    });
  }

  async list(): Promise<KeySlot[]> {
    const index = await this.secrets.get(indexName);
    return (index ?? '').split('\n').flatMap((line) => {
      const [kind, origin] = line.split(' ');
      return kind && origin ? [{ kind: kind as KeyKind, origin }] : [];
    });
  }

  /** One after the other: two at once would write lists of slots that each lack the other's. */
  private change(slot: KeySlot, make: (others: KeySlot[]) => Promise<void>): Promise<void> {
    const changed = async () => make((await this.list()).filter((other) => nameOf(other) !== nameOf(slot)));
    this.last = this.last.then(changed, changed);
    return this.last;
  }

  private write(slots: readonly KeySlot[]): PromiseLike<void> {
    return this.secrets.store(indexName, slots.map(nameOf).join('\n'));
  }
}

function nameOf({ kind, origin }: KeySlot): string {
  return `${kind} ${origin}`;
}
