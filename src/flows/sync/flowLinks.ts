import { isAbsolute } from 'node:path/posix';
import * as z from 'zod/mini';
import { asObject, readObject } from '../../base/json.ts';
import type { SyncedHashes } from '../flowState.ts';

/** The app of a DSL file, and both texts' hashes at the last pull or push. */
export interface FlowLink {
  /** Below the workspace folder, with forward slashes. */
  readonly path: string;
  readonly server: string;
  readonly workspaceId: string;
  readonly appId: string;
  readonly synced: SyncedHashes;
}

const hash = z.string().check(z.regex(/^[\da-f]{64}$/));
const idText = z.string().check(z.regex(/^[\w-]{1,100}$/));
const linkSchema = z.object({
  path: z.string().check(z.refine(isInside)),
  server: z.string().check(z.refine(isOrigin)),
  workspace: idText,
  app: idText,
  file: hash,
  platform: hash,
});

/** Reads links; entries that lead out of the folder, or are of another shape, are left out. */
export function readLinks(text: string | undefined): FlowLink[] {
  const list = asObject(readObject(text ?? ''))?.['flows'];
  const links = new Map<string, FlowLink>();
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    const { data } = linkSchema.safeParse(entry);
    if (!data) continue;
    const { path, server, workspace: workspaceId, app: appId, file, platform } = data;
    links.set(path, { path, server, workspaceId, appId, synced: { file, platform } });
  }
  return [...links.values()];
}

/** Writes links in the order of their paths, a field a line, so that merges of branches rarely conflict. */
export function writeLinks(links: readonly FlowLink[]): string {
  const flows = links
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, server, workspaceId, appId, synced }) => ({
      ...{ path, server, workspace: workspaceId, app: appId, file: synced.file, platform: synced.platform },
    }));
  return `${JSON.stringify({ flows }, null, 2)}\n`;
}

export function withLink(links: readonly FlowLink[], link: FlowLink): FlowLink[] {
  return [...links.filter(({ path }) => path !== link.path), link];
}

function isInside(path: string): boolean {
  return (
    /\.ya?ml$/i.test(path) &&
    !isAbsolute(path) &&
    !/[\\:\0]/.test(path) &&
    path.split('/').every((part) => part !== '..' && part !== '.' && part !== '')
  );
}

function isOrigin(server: string): boolean {
  return URL.canParse(server) && new URL(server).origin === server && /^https?:/.test(server);
}
