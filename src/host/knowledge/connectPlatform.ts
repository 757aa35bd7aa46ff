import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { DiagnoseDependencies } from '../connect/diagnoseConnection.ts';
import { connectServer, type UnencryptedOrigins } from '../connect/connectServer.ts';
import type { PlatformConnections } from '../../connections/platformConnections.ts';

export interface ConnectPlatformDependencies extends DiagnoseDependencies {
  platforms: PlatformConnections;
  memory: UnencryptedOrigins;
}

export interface ConnectPlatformResult {
  connected: boolean;
  address?: string;
  knowledgeBases?: number;
  /** The key was made for some knowledge bases, and can't list them. */
  isScoped?: true;
}

export async function connectPlatform(deps: ConnectPlatformDependencies): Promise<ConnectPlatformResult> {
  const { platforms, clients, memory } = deps;
  const key = { isScoped: false };
  const { isConnected, count, ...place } = await connectServer({
    connections: platforms,
    unencrypted: memory,
    keyKind: 'dataset',
    addressTitle: l10n.t('Connect Platform (1/2): Address'),
    addressPrompt: l10n.t('The base address of your platform, with or without /v1'),
    addressExample: 'https://platform.example.com',
    keyTitle: l10n.t('Connect Platform (2/2): Knowledge Base Key'),
    keyExample: 'dataset-…',
    triedPath: '/v1/datasets',
    notTried: l10n.t("Couldn't test the connection."),
    async diagnose(access) {
      const { diagnoseServers } = await import('../connect/diagnoseConnection.ts');
      return diagnoseServers(deps, [{ kind: 'platform', baseUrl: access.baseUrl, access }]);
    },
    async tryServer(access, signal) {
      const total = await (await clients.platform(access)).testConnection(signal);
      key.isScoped = total === 'scoped';
      if (total === 'scoped') {
        const outcome = l10n.t(
          'Connected to {0}. The key was made for some knowledge bases: add those to use.',
          access.baseUrl,
        );
        return { outcome };
      }
      const bases = plural(
        total,
        l10n.t('1 knowledge base'),
        l10n.t('{0} knowledge bases', formatNumber(total)),
      );
      return { outcome: l10n.t('Connected to {0}: {1}.', access.baseUrl, bases), count: total };
    },
  });
  return {
    ...{ connected: isConnected, ...place },
    ...(count !== undefined && { knowledgeBases: count }),
    ...(isConnected && key.isScoped && { isScoped: true }),
  };
}
