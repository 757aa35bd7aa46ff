import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors.ts';
import { messageOf } from '../base/messageOf.ts';
import { type ClientCertificateFiles, readClientCertificate } from './clientCertificate.ts';
import type { NetworkSecrets } from './networkSecrets.ts';

/** Newer Node can list what it and the operating system trust; the types here are of the oldest supported one. */
export type ListCertificates = (type: 'default' | 'system' | 'extra') => string[];

export interface TrustSettings {
  /** A PEM file with further certificates to trust (`network.caFile`). */
  caFile?: string;
  /** False: those of the operating system do not count (`http.systemCertificates`). */
  systemCertificates?: boolean;
  clientCertificate?: ClientCertificateFiles;
}

/**
 * Whom to trust, and who we are: Node's own list, the operating system's, `NODE_EXTRA_CA_CERTS`, and the file of the
 * setting `network.caFile`; and the client certificate. One context for all connections, because reading some 300
 * certificates takes about 20 ms.
 * @param list replaces what Node knows, in tests
 */
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
  // Electron's Node does not always honour the variable, and Node without the list does not tell what it read.
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
      l10n.t('The certificate file of the setting "switchboard.network.caFile" cannot be read: {0}', caFile),
      { systemError: messageOf(cause), cause },
    );
  }
  // A file in another format would be ignored without a word by OpenSSL.
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new SwitchboardError(
      'tls',
      l10n.t('The file of the setting "switchboard.network.caFile" contains no PEM certificate: {0}', caFile),
    );
  }
  return text;
}
