import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { canRunAs } from '../../apps/appKinds.ts';
import type { LocalFiles } from '../../apps/fileReferences.ts';
import type { AppService } from '../../apps/appService.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { ChatController } from '../../chat/chatController.ts';
import { ConfirmedCalls, type PlannedCall } from '../../chat/editorRequests/confirmedCalls.ts';
import type { ConnectedPlatform } from '../../knowledge/connectedPlatform.ts';
import type { Log } from '../../base/log.ts';
import {
  FoundSources,
  readSourceInput,
  searchKnowledgeInput,
  unknownSource,
} from '../../knowledge/foundSources.ts';
import { chooseBases, searchableBases } from '../../knowledge/searchableBases.ts';
import type { ReportCounts } from '../../knowledge/view/reportText.ts';
import { createLocalFiles } from '../../knowledge/files/workspaceLocalFiles.ts';
import type { Memory } from '../../settings/memory.ts';
import { toAbortSignal } from '../ui/cancellation.ts';
import { commandId, languageToolNames } from '../ids.ts';
import { parsed, planWorkflowRun, tellNames } from '../../chat/editorRequests/workflowRuns.ts';
import { refreshOffered } from '../window/refreshViews.ts';
import type { WorkspaceTools } from '../workspace/workspaceTools.ts';
import { toUri } from '../workspace/workspacePlaces.ts';
import { confirmText } from '../ui/modals.ts';

export interface LanguageToolsDependencies {
  platform: ConnectedPlatform;
  apps: AppService;
  chat: ChatController;
  memory: Memory;
  tools(): Promise<WorkspaceTools>;
  log: Log;
}

const notConnected = 'No platform is connected. The user can connect one in Switchboard.';
const addInput = z.object({ paths: z.array(z.string()).check(z.minLength(1), z.maxLength(100)) });
/** Our tools for the editor's models. The editor doesn't validate inputs; each call needs approval. */
export class LanguageTools {
  private readonly calls = new ConfirmedCalls(
    (tool, input, signal) => this.plan(tool, input, signal),
    (title, message) => confirmText(title, l10n.t('Allow'), message),
  );

  private readonly sources: FoundSources;

  constructor(private readonly deps: LanguageToolsDependencies) {
    this.sources = new FoundSources({
      knowledge: () => deps.platform.get(),
      files: async () => (await deps.tools()).dependencies,
      log: deps.log,
    });
  }

  async prepare(
    tool: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    const planned = await this.calls.prepare(tool, input, toAbortSignal(token));
    if (!planned) return {};
    const { title, message, progress } = planned;
    return { invocationMessage: progress, confirmationMessages: { title, message: visibleText(message) } };
  }

  async invoke(
    tool: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const text = await this.calls.invoke(tool, input, toAbortSignal(token));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }

  private async plan(tool: string, input: unknown, signal: AbortSignal): Promise<PlannedCall> {
    switch (tool) {
      case languageToolNames.search:
        return parsed(searchKnowledgeInput, input, (given) => this.planSearch(given, signal));
      case languageToolNames.list:
        return this.planList(signal);
      case languageToolNames.read:
        return parsed(readSourceInput, input, (given) => this.planRead(given));
      case languageToolNames.add:
        return parsed(addInput, input, ({ paths }) => this.planAdd(paths));
      default:
        return planWorkflowRun({ ...this.deps, files: () => localFiles(this.deps) }, input, signal);
    }
  }

  private async planSearch(
    { query, knowledge_bases: names = [], top_k: topK }: z.infer<typeof searchKnowledgeInput>,
    signal: AbortSignal,
  ): Promise<PlannedCall> {
    const parts = await this.deps.platform.get();
    if (!parts) return { problem: notConnected };
    const byName = await searchableBases(parts.knowledge.bases, signal);
    const { bases, choose } = chooseBases(byName, names, this.deps.chat.shown.conversation.bases);
    if (choose) {
      return tellNames(
        l10n.t('Share the list of your knowledge bases?'),
        'Name some of these knowledge bases:',
        choose,
      );
    }
    if (bases.length === 0) return { problem: 'There is no knowledge base.' };
    const list = bases.map(({ name }) => name).join(', ');
    return {
      title: l10n.t('Search knowledge bases?'),
      message: l10n.t(
        'For "{0}", in: {1}. Results are sent to the model or extension that requested them.',
        query,
        list,
      ),
      progress: l10n.t('Searching {0}', list),
      run: async (stop) => (await this.sources.search({ query, bases, topK }, stop)).text,
    };
  }

  private async planList(signal: AbortSignal): Promise<PlannedCall> {
    const parts = await this.deps.platform.get();
    if (!parts) return { problem: notConnected };
    const names = [...(await searchableBases(parts.knowledge.bases, signal)).keys()];
    if (names.length === 0) return { problem: 'There is no knowledge base.' };
    return tellNames(l10n.t('Share the list of your knowledge bases?'), 'The knowledge bases:', names);
  }

  private async planRead(given: z.infer<typeof readSourceInput>): Promise<PlannedCall> {
    const source = this.sources.find(given.source);
    if (!source) return { problem: unknownSource(given.source) };
    const { documentName, datasetName } = source;
    const lines = { startLine: given.start_line, endLine: given.end_line };
    return {
      title: l10n.t('Read a source?'),
      message: l10n.t(
        '"{0}" in {1}. It is sent to the model or extension that requested it.',
        documentName,
        datasetName,
      ),
      progress: l10n.t('Reading {0}', documentName),
      run: async (stop) => (await this.sources.read(given.source, lines, stop)).text,
    };
  }

  /** The file policy for reading applies; the user also confirms the files to upload. */
  private async planAdd(paths: readonly string[]): Promise<PlannedCall> {
    const { policy } = (await this.deps.tools()).dependencies;
    const files: vscode.Uri[] = [];
    for (const path of paths) {
      const verdict = await policy.check(path, 'read');
      if (!verdict.isAllowed) return { problem: verdict.forModel };
      files.push(toUri(verdict.realPath));
    }
    return {
      title: l10n.t('Add files to a knowledge base?'),
      message: paths.join('\n'),
      progress: plural(
        files.length,
        l10n.t('Adding 1 file to a knowledge base'),
        l10n.t('Adding {0} files to a knowledge base', formatNumber(files.length)),
      ),
      async run() {
        const counts = await vscode.commands.executeCommand<ReportCounts | undefined>(
          commandId('addToKnowledgeBase'),
          files[0],
          files,
        );
        return counts
          ? `Uploaded. Documents: ${JSON.stringify(counts)}`
          : 'Nothing was uploaded: the user did not confirm it.';
      },
    };
  }
}

export async function offerWorkflows({
  apps,
  memory,
}: Pick<LanguageToolsDependencies, 'apps' | 'memory'>): Promise<string[] | undefined> {
  await apps.ready;
  const { offeredApps } = memory;
  const workflows = await apps.keyed(apps.listed.filter((app) => canRunAs(app, 'workflow')));
  const picked = await vscode.window.showQuickPick(
    workflows.map(({ id, name, description }) => ({
      id,
      label: name,
      description,
      picked: offeredApps.includes(id),
    })),
    {
      title: l10n.t('Offer Workflows as Tools'),
      placeHolder: l10n.t(
        "Choose what the editor's chat and other extensions can run. Each run needs approval",
      ),
      canPickMany: true,
      matchOnDescription: true,
    },
  );
  if (!picked) return undefined;
  memory.offeredApps = picked.map(({ id }) => id);
  refreshOffered({ apps, memory });
  return picked.map(({ label }) => label);
}

export async function localFiles({ tools }: Pick<LanguageToolsDependencies, 'tools'>): Promise<LocalFiles> {
  return createLocalFiles((await tools()).dependencies);
}
