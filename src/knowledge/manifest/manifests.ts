import type { Log } from '../../base/log.ts';
import { messageOf } from '../../base/errors/errors.ts';
import type { IndexedOrigin } from '../files/documentName.ts';
import { Manifest } from './manifest.ts';
import type { ManifestStorage } from './manifestStorage.ts';
import { sha256 } from '../../base/sha256.ts';

export class Manifests {
  private readonly opened = new Map<string, { manifest: Manifest; loaded: Promise<void> }>();
  private readonly prefix: string;

  constructor(
    private readonly storage: ManifestStorage,
    origin: string,
    private readonly log: Log,
  ) {
    this.prefix = `documents-${originHash(origin)}-`;
  }

  async of(datasetId: string): Promise<Manifest> {
    const { manifest, loaded } = this.open(datasetId);
    await loaded;
    return manifest;
  }

  async fresh(datasetId: string): Promise<Manifest> {
    const isOpen = this.opened.has(datasetId);
    const manifest = await this.of(datasetId);
    if (isOpen) await manifest.reload();
    return manifest;
  }

  /** Undefined if it can't be read, which is logged. */
  async readable(datasetId: string): Promise<Manifest | undefined> {
    try {
      return await this.of(datasetId);
    } catch (error) {
      this.log.warn(`What was sent to ${datasetId} cannot be read: ${messageOf(error)}`);
      return undefined;
    }
  }

  async originOf(datasetId: string, documentId: string): Promise<IndexedOrigin | undefined> {
    const sent = (await this.readable(datasetId))?.state.byId.get(documentId);
    if (!sent) return undefined;
    const { path, lines, hash, commit } = sent;
    return { path, ...(lines && { lines }), hash, ...(commit !== undefined && { commit }) };
  }

  known(datasetId: string): Manifest | undefined {
    return this.opened.get(datasetId)?.manifest;
  }

  all(): Promise<Map<string, Manifest>> {
    return this.each((datasetId) => this.of(datasetId));
  }

  allFresh(): Promise<Map<string, Manifest>> {
    return this.each((datasetId) => this.fresh(datasetId));
  }

  private async each(open: (datasetId: string) => Promise<Manifest>): Promise<Map<string, Manifest>> {
    const stored = (await this.storage.list()).flatMap((name) => this.datasetOf(name) ?? []);
    const all = new Map<string, Manifest>();
    for (const datasetId of new Set([...this.opened.keys(), ...stored])) {
      all.set(datasetId, await open(datasetId));
    }
    return all;
  }

  private open(datasetId: string): { manifest: Manifest; loaded: Promise<void> } {
    let opened = this.opened.get(datasetId);
    if (!opened) {
      const manifest = new Manifest(this.storage, `${this.prefix}${encode(datasetId)}.jsonl`, this.log);
      opened = { manifest, loaded: manifest.reload() };
      this.opened.set(datasetId, opened);
      // Read again on the next use.
      opened.loaded.catch(() => this.opened.delete(datasetId));
    }
    return opened;
  }

  private datasetOf(name: string): string | undefined {
    if (!name.startsWith(this.prefix) || !name.endsWith('.jsonl')) return undefined;
    return decode(name.slice(this.prefix.length, -'.jsonl'.length));
  }
}

export function originHash(origin: string): string {
  return sha256(origin).slice(0, 12);
}

/** Ids come from a server, and may have characters that file names can't. */
function encode(id: string): string {
  return id.replace(/[^A-Za-z0-9-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`);
}

function decode(encoded: string): string | undefined {
  try {
    return encoded.replace(/\.([0-9a-f]+)\./g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
  } catch {
    return undefined;
  }
}
