import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import { type ClientCertificateFiles, readClientCertificate } from './clientCertificate.ts';
import type { NetworkSecrets } from './transport.ts';

/** `tls.getCACertificates` of newer Node versions; missing from the types of the oldest supported one. */
export type ListCertificates = (type: 'default' | 'system' | 'extra') => string[];

export interface TrustSettings {
  caFile?: string;
  systemCertificates?: boolean;
  clientCertificate?: ClientCertificateFiles;
}

/** CA certificates: Node's, the system's, `NODE_EXTRA_CA_CERTS`, `network.caFile`. Read once: 300 take about 20 ms. */
export async function createTrust(
  { caFile, systemCertificates = true, clientCertificate }: TrustSettings,
  environment: Record<string, string | undefined>,
  secrets: NetworkSecrets,
  list = (tls as unknown as { getCACertificates?: ListCertificates }).getCACertificates,
): Promise<tls.SecureContext> {
  const certificates = list
    ? [
        ...listed(list, 'default'),
        ...(systemCertificates ? listed(list, 'system') : []),
        ...listed(list, 'extra'),
      ]
    : [...tls.rootCertificates];
  // Electron's Node doesn't always honor the variable, and older Node can't list what it read.
  const extraFile = environment['NODE_EXTRA_CA_CERTS'];
  if (extraFile) certificates.push(await readFile(extraFile, 'utf8').catch(() => ''));
  if (caFile) certificates.push(await readCertificates(caFile));
  return tls.createSecureContext({
    ca: [...new Set(certificates)].filter(Boolean),
    ...(clientCertificate && (await readClientCertificate(clientCertificate, secrets))),
  });
}

function listed(list: ListCertificates, type: 'default' | 'system' | 'extra'): string[] {
  try {
    return list(type);
  } catch {
    return [];
  }
}

async function readCertificates(caFile: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(caFile, 'utf8');
  } catch (cause) {
    throw new SwitchboardError(
      'tls',
      l10n.t('The certificate file in the setting "switchboard.network.caFile" can\'t be read: {0}', caFile),
      { systemError: messageOf(cause), cause },
    );
  }
  // OpenSSL silently ignores other formats.
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SwitchboardError(
      'tls',
      l10n.t('The file in the setting "switchboard.network.caFile" contains no PEM certificate: {0}', caFile),
    );
  }
  return text;
}
