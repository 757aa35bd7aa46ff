import * as vscode from 'vscode';
import { answersOf, describeInputs } from '../../../apps/run/givenInputs.ts';
import { type NodeRuns } from '../../../apps/run/nodeRuns.ts';
import { performRun } from '../../../apps/run/performRun.ts';
import { toRunOutput } from '../../../apps/run/runOutput.ts';
import { readFlow } from '../../../flows/dsl/readFlow.ts';
import type { FlowState } from '../../../flows/flowState.ts';
import { changesSinceRun, publishedState } from '../../../flows/publishedVersion.ts';
import { planPush } from '../../../flows/sync/pushFlow.ts';
import { createLocalFiles } from '../../../knowledge/files/workspaceLocalFiles.ts';
import { flowTools } from '../../../tools/allTools.ts';
import type { WorkflowAccess } from '../../../tools/flows/workflowTools.ts';
import type { Tool } from '../../../tools/tool.ts';
import { ToolFailure } from '../../../tools/toolFailure.ts';
import type { WorkspaceTools } from '../../workspace/workspaceTools.ts';
import { currentText, linkedFiles, type LinkedFile, serverOf } from '../flowWorkspace.ts';
import type { FileRun } from './flowRuns.ts';
import { type FlowRunContext, followFileRun, runnerOf } from './runFlow.ts';

export interface FlowToolsContext extends FlowRunContext {
  tools(): Promise<WorkspaceTools>;
}

export function toFlowTools(context: FlowToolsContext): Tool[] {
  return flowTools(new LinkedWorkflows(context));
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

class LinkedWorkflows implements WorkflowAccess {
  constructor(private readonly context: FlowToolsContext) {}

  async target(path: string): Promise<{ app: string; server: string }> {
    const { link } = await this.find(path);
    const { apps } = this.context.apps;
    const app = apps.find(({ account, origin }) => account?.appId === link.appId && origin === link.server);
    return { app: app?.name ?? link.appId, server: link.server };
  }

  async state(path: string, withDsl: boolean, signal: AbortSignal): Promise<string> {
    const { uri, link } = await this.find(path);
    const runner = await runnerOf(this.context, { uri, link }, signal);
    const text = await currentText(uri);
    const { state, changes, platform } = await planPush(
      await serverOf(this.context, link),
      link,
      text,
      signal,
    );
    const { form } = await (await this.context.apps.client(runner.app.id)).parameters(signal);
    const run = (await this.context.flows.files()).runs.of(uri);
    return [
      `App: ${JSON.stringify(runner.account.name)}, a ${runner.kind}, on ${link.server}`,
      `State: ${stateWords[state]}`,
      ...(changes.length > 0 ? ["Changes from the platform's draft to the file:", ...listed(changes)] : []),
      ...publishedLines(text, link, run),
      describeInputs(form),
      ...(run ? ['', ...runLines(run)] : []),
      ...(withDsl ? ['', "DSL of the platform's draft:", platform.text] : []),
    ].join('\n');
  }

  async run(
    path: string,
    { inputs, message }: Parameters<WorkflowAccess['run']>[1],
    signal: AbortSignal,
  ): Promise<{ text: string; isError: boolean }> {
    const { uri, link } = await this.find(path);
    const runner = await runnerOf(this.context, { uri, link }, signal);
    const { app, kind } = runner;
    if (kind === 'chatflow' && !message) {
      throw new ToolFailure('This is a chatflow: call again with the message to send to it.');
    }
    const client = await this.context.apps.client(app.id);
    const parameters = await client.parameters(signal);
    const given = answersOf(parameters.form, inputs, parameters.files.maxBytes);
    if ('problem' in given) throw new ToolFailure(given.problem);
    const { dependencies } = await this.context.tools();
    const { runs } = await this.context.flows.files();
    const follow = followFileRun(this.context, runs, runner);
    follow.begin();
    const outcome = await performRun(
      {
        ...{ client, kind, query: message, parameters, answers: given.answers, stream: true },
        files: () => Promise.resolve(createLocalFiles(dependencies)),
        onEvent: follow.note,
      },
      signal,
      () => undefined,
    );
    signal.throwIfAborted();
    const run = await follow.end(outcome, signal);
    const { text } = toRunOutput(outcome.progress, app);
    const lines = [
      ...runLines(run),
      ...publishedLines(await currentText(uri), link, run),
      ...(text ? ['', 'Output:', text] : []),
    ];
    return { text: lines.join('\n'), isError: outcome.error !== undefined };
  }

  private async find(path: string): Promise<LinkedFile> {
    const files = await linkedFiles();
    const found = files.find(
      ({ uri, link }) => pathOf(uri) === path || (files.length === 1 && link.path === path),
    );
    if (found) return found;
    const known = files.map(({ uri }) => pathOf(uri)).join(', ');
    throw new ToolFailure(`${JSON.stringify(path)} is no linked workflow. Linked are: ${known}.`);
  }
}

const stateWords: Readonly<Record<FlowState, string>> = {
  same: "the file and the platform's draft are the same",
  changedHere: 'the file has changed since the last pull or push',
  changedThere: 'the draft on the platform has changed since the last pull or push',
  changedBoth: 'both the file and the draft on the platform have changed since the last pull or push',
};

function publishedLines(text: string, { synced }: LinkedFile['link'], run: FileRun | undefined): string[] {
  const state = publishedState(text, synced, run?.published);
  if (state === 'unknown') return ['Published version: unknown until it has been run.'];
  if (state === 'same') return ['Published version: the same as the file.'];
  const lines = run?.published === undefined ? [] : changesSinceRun(run.published, readFlow(text)).lines;
  return ['Published version: differs from the file.', ...listed(lines)];
}

function runLines({ state, error, nodes }: FileRun): string[] {
  return [`Last run: ${state}`, ...(error === undefined ? [] : [`Error: ${error}`]), ...nodeLines(nodes)];
}

function nodeLines(nodes: NodeRuns): string[] {
  return [...nodes.all].flatMap(([id, { title, status, elapsedMs, error, inputs }]) => [
    `- node ${JSON.stringify(id)} (${JSON.stringify(title)}): ${status}, ${elapsedMs} ms`,
    ...(error === undefined ? [] : [`  error: ${error}`]),
    ...(inputs === undefined ? [] : [`  inputs: ${inputs}`]),
  ]);
}

function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}
