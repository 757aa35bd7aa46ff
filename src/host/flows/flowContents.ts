import { consoleOf } from '../../connections/otherAddresses.ts';
import * as vscode from 'vscode';
import type { Clients } from '../../connections/clients.ts';
import type { PlatformAccess, PlatformConnections } from '../../connections/serverConnections.ts';
import type { WorkspaceContents } from '../../flows/flowProblems.ts';
import type { FlowFiles } from './flowFiles.ts';
import { findLinkedFile } from './flowWorkspace.ts';

export interface FlowContentsDependencies {
  platforms: PlatformConnections;
  clients: Clients;
}

const longestMs = 60_000;

export class FlowContents {
  private datasets: { origin: string; ids: ReadonlySet<string> | undefined; readAtMs: number } | undefined;
  private readonly origins = new Map<string, string>();

  constructor(
    private readonly parts: () => Promise<FlowContentsDependencies>,
    private readonly files: FlowFiles,
  ) {}

  of(uri: vscode.Uri): WorkspaceContents {
    const origin = this.origins.get(uri.toString());
    return {
      datasets: origin !== undefined && origin === this.datasets?.origin ? this.datasets.ids : undefined,
      missingPlugins: this.files.missingPlugins(uri),
      issues: this.files.issuesOf(uri),
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
