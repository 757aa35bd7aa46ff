import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AppTreeNode } from '../../apps/appTreeNode.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { hasType } from '../../base/json.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';
import type { FlowCommand } from '../ids.ts';
import { linkedFile, linkedFiles, serverOf } from './flowWorkspace.ts';
import type { FlowTarget } from './publishFlow.ts';

export async function runFlowCommand(
  command: FlowCommand,
  context: AppCommandContext,
  argument: unknown,
  nodeId: unknown,
): Promise<unknown> {
  await context.flows.watch();
  const app = hasType<Extract<AppTreeNode, { type: 'app' }>>(argument, ['app']) ? argument.app : undefined;
  switch (command) {
    case 'pullWorkflow':
      return (await import('./pullFlows.ts')).pullWorkflow(context, app);
    case 'pullAllWorkflows':
      return (await import('./pullFlows.ts')).pullAllWorkflows(context);
    case 'pullWorkflowWithSecrets':
      return (await import('./pullSecrets.ts')).pullWorkflowWithSecrets(context, app);
    case 'publishWorkflow':
      return (await import('./publishFlow.ts')).publishWorkflow(
        context,
        await targetOf(context, argument, app),
      );
    case 'openInConsole':
      return (await import('./publishFlow.ts')).openInConsole(await targetOf(context, argument, app));
    case 'compareWorkflow':
      return (await import('./compareFlow.ts')).compareWorkflow(context, await fileOf(argument, app));
    case 'pushWorkflow':
      return (await import('./pushWorkflow.ts')).pushWorkflow(context, await fileOf(argument, app));
    case 'pushWorkflowAsNew':
      return (await import('./pushWorkflow.ts')).pushWorkflowAsNew(context, await fileOf(argument, app));
    case 'runWorkflowFile':
      return (await import('./run/runFlowFile.ts')).runFlowFile(context, await fileOf(argument, app));
    case 'fixWorkflowNode':
      return (await import('./run/fixNode.ts')).fixNode(
        (await context.flows.files()).runs,
        await fileOf(argument, app),
        typeof nodeId === 'string' ? nodeId : undefined,
      );
  }
}

async function targetOf(
  context: AppCommandContext,
  argument: unknown,
  app: Extract<AppTreeNode, { type: 'app' }>['app'] | undefined,
): Promise<FlowTarget> {
  if (app?.account) {
    const { baseUrl, origin, name, kind } = app;
    const isFlow = kind === 'workflow' || kind === 'chatflow';
    return { baseUrl, server: origin, appId: app.account.appId, name, isFlow };
  }
  const { link } = await linkedFile(await fileOf(argument, app));
  // A repository's link can only lead to a platform of the user.
  await serverOf(context, link);
  return {
    ...{ baseUrl: link.server, server: link.server, appId: link.appId, name: link.path, isFlow: true },
  };
}

async function fileOf(
  argument: unknown,
  app: Extract<AppTreeNode, { type: 'app' }>['app'] | undefined,
): Promise<vscode.Uri> {
  if (argument instanceof vscode.Uri) return argument;
  const linked = app
    ? (await linkedFiles()).find(
        ({ link }) => link.appId === app.account?.appId && link.server === app.origin,
      )
    : undefined;
  const uri = app ? linked?.uri : vscode.window.activeTextEditor?.document.uri;
  if (uri) return uri;
  throw new SwitchboardError(
    'local-file',
    l10n.t('No file is linked to this app. Pull it to the workspace first.'),
  );
}
