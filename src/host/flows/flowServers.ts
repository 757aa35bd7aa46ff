import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { PlatformSessions, type PlatformSession } from '../../connections/platformSessions.ts';
import type { FlowLink } from '../../flows/sync/flowLinks.ts';
import type { FlowServer } from '../../flows/sync/pullFlow.ts';
import { createOpenapiClient } from '../../platform/openapi/openapiClient.ts';
import type { AppCommandContext } from '../apps/appCommandContext.ts';

/** The signed-in platform of a link. The token goes to the origin it was issued for, whatever the link says. */
export async function serverOf(
  context: AppCommandContext,
  { server, workspaceId }: Pick<FlowLink, 'server'> & Partial<Pick<FlowLink, 'workspaceId'>>,
): Promise<FlowServer> {
  const session = await new PlatformSessions(context.keys).read(server);
  if (!session || session.expiresAtMs <= Date.now()) {
    throw new SwitchboardError(
      'key',
      l10n.t('You are not signed in to {0}. Sign in, and try again.', server),
    );
  }
  return toServer(context, session, workspaceId);
}

async function toServer(
  { clients }: AppCommandContext,
  { baseUrl, token, expiresAtMs, workspace }: PlatformSession,
  workspaceId = workspace.id,
): Promise<FlowServer> {
  const context = Object.assign(await clients.contextOf({ baseUrl, key: token }), { expiresAtMs });
  return { origin: new URL(baseUrl).origin, workspaceId, client: createOpenapiClient(context) };
}
