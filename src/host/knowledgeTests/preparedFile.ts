import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { ConnectedParts } from '../../knowledge/connectedPlatform.ts';
import { PlaceMatcher, type TestedFiles } from '../../knowledgeTests/placeMatch.ts';
import { findBases } from '../../knowledgeTests/testedKnowledge.ts';
import type { Dataset } from '../../platform/records.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { type KnowledgeTestParts, readFileAt, type ReadTestFile } from './testFileItems.ts';

export interface PreparedFile {
  file: ReadTestFile;
  connected: Awaited<Connection>;
  datasets: Dataset[];
  matcher: PlaceMatcher;
}

export type Connection = Promise<
  ConnectedParts & { dependencies: ToolDependencies; log: KnowledgeTestParts['log'] }
>;

/** The platform with its knowledge bases loaded. Throws a `SwitchboardError`. */
export async function connect(parts: () => Promise<KnowledgeTestParts>, signal: AbortSignal): Connection {
  const { platform, tools, log } = await parts();
  const connected = await platform.get();
  if (!connected) {
    throw new SwitchboardError(
      'key',
      l10n.t('No platform is connected. Run "Switchboard: Connect Platform…".'),
    );
  }
  await connected.knowledge.bases.load(signal);
  return { ...connected, dependencies: (await tools()).dependencies, log };
}

/** The file as it is now, its knowledge bases and the files that it names. Throws a `SwitchboardError`. */
export async function prepare(uri: vscode.Uri, connection: Connection): Promise<PreparedFile> {
  const file = await readFileAt(uri);
  if (file.problem) throw new SwitchboardError('settings', file.problem);
  const connected = await connection;
  const datasets = findBases(file.bases, connected.knowledge.bases.state.datasets);
  return { file, connected, datasets, matcher: new PlaceMatcher(filesOf(uri, connected.dependencies)) };
}

/** The files beside a test, as far as the file policy lets models read them. */
export function filesOf(uri: vscode.Uri, { policy, texts }: ToolDependencies): TestedFiles {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const folder = workspaceFolders.length > 1 ? getWorkspaceFolder(uri) : undefined;
  return {
    pathOf: (file) => (folder ? `${folder.name}/${file}` : file),
    async read(path) {
      const verdict = await policy.check(path, 'read');
      // A binary file has no lines.
      return verdict.isAllowed ? texts.readWhole(verdict).catch(() => undefined) : undefined;
    },
  };
}
