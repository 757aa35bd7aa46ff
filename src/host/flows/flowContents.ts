import { consoleOf } from '../../connections/otherAddresses.ts';
import * as vscode from 'vscode';
import type { Clients } from '../../connections/clients.ts';
import type { PlatformAccess, PlatformConnections } from '../../connections/serverConnections.ts';
import type { FoundIssue, WorkspaceContents } from '../../flows/flowProblems.ts';
import { findLinkedFile } from './flowWorkspace.ts';

export interface FlowContentsDependencies {
  platforms: PlatformConnections;
  clients: Clients;
}

const longestMs = 60_000;

const missing = new Map<string, ReadonlySet<string>>();
const issues = new Map<string, readonly FoundIssue[]>();
const changes = new vscode.EventEmitter<vscode.Uri>();

export const onDidChangeContents = changes.event;

export function noteMissingPlugins(uri: vscode.Uri, names: readonly string[]): void {
  if (names.length === 0 && !missing.has(uri.toString())) return;
  missing.set(uri.toString(), new Set(names));
  changes.fire(uri);
}

export function noteIssues(uri: vscode.Uri, found: readonly FoundIssue[]): void {
  if (found.length === 0 && !issues.has(uri.toString())) return;
  issues.set(uri.toString(), found);
  changes.fire(uri);
}

export class FlowContents {
  private datasets: { origin: string; ids: ReadonlySet<string> | undefined; readAtMs: number } | undefined;
  private readonly origins = new Map<string, string>();

  constructor(private readonly parts: () => Promise<FlowContentsDependencies>) {}

  of(uri: vscode.Uri): WorkspaceContents {
    const origin = this.origins.get(uri.toString());
    return {
      datasets: origin !== undefined && origin === this.datasets?.origin ? this.datasets.ids : undefined,
      missingPlugins: missing.get(uri.toString()),
      issues: issues.get(uri.toString()),
    };
  }

  /** True if the knowledge bases changed; read only where the file's platform is connected and the key lists them. */
  async read(uri: vscode.Uri): Promise<boolean> {
    const before = this.of(uri).datasets;
    const { platforms, clients } = await this.parts();
    const linked = await findLinkedFile(uri);
    await platforms.ready;
    const access = platforms.current;
    const origin = access && (consoleOf(access.baseUrl) ?? new URL(access.baseUrl).origin);
    if (!access || origin === undefined || origin !== linked?.link.server) {
      this.origins.delete(uri.toString());
      return before !== undefined;
    }
    this.origins.set(uri.toString(), origin);
    const known = this.datasets;
    if (known?.origin !== origin || Date.now() - known.readAtMs > longestMs) {
      this.datasets = { origin, ids: await idsOf(clients, access), readAtMs: Date.now() };
    }
    return this.of(uri).datasets !== before;
  }
}

async function idsOf(clients: Clients, access: PlatformAccess): Promise<ReadonlySet<string> | undefined> {
  try {
    const datasets = await (await clients.platform(access)).datasets.list(AbortSignal.timeout(longestMs));
    return new Set(datasets.map(({ id }) => id));
  } catch {
    return undefined;
  }
}
