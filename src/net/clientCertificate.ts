import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import * as l10n from '@vscode/l10n';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import type { NetworkSecrets } from './transport.ts';

export interface ClientCertificateFiles {
  /** PEM, or PKCS #12 (`.p12`, `.pfx`), which includes the key. */
  certificateFile: string;
  /** PEM; without it the certificate file includes the key. */
  keyFile?: string | undefined;
}

/** TLS options of the client certificate. Throws `tls` if a file can't be used. */
export async function readClientCertificate(
  { certificateFile, keyFile }: ClientCertificateFiles,
  secrets: NetworkSecrets,
): Promise<Pick<tls.SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>> {
  const certificate = await read(certificateFile);
  if (/\.(p12|pfx)$/i.test(certificateFile)) {
    const passphrase = await unlock(certificateFile, secrets, (tried) => {
      tls.createSecureContext({ pfx: certificate, ...(tried !== undefined && { passphrase: tried }) });
    });
    return { pfx: certificate, ...(passphrase !== undefined && { passphrase }) };
  }
  const holder = keyFile || certificateFile;
  const key = keyFile ? await read(keyFile) : certificate;
  const passphrase = await unlock(holder, secrets, (tried) => {
    createPrivateKey({ key, ...(tried !== undefined && { passphrase: tried }) });
  });
  return { cert: certificate, key, ...(passphrase !== undefined && { passphrase }) };
}

/** Tries the saved passphrase, then those that the user types. `open` throws if it is missing or wrong. */
async function unlock(
  file: string,
  secrets: NetworkSecrets,
  open: (passphrase: string | undefined) => void,
): Promise<string | undefined> {
  let passphrase: string | undefined;
  let failure = failureOf(open, passphrase);
  if (!failure) return undefined;
  if (!isLocked(failure)) throw unusable(file, failure);
  passphrase = await secrets.get('passphrase', file);
  for (;;) {
    if (passphrase !== undefined) failure = failureOf(open, passphrase);
    if (!failure) return passphrase;
    passphrase = await secrets.ask('passphrase', file, passphrase);
    if (passphrase === undefined) throw unusable(file, failure);
  }
}

function failureOf(open: (passphrase: string | undefined) => void, passphrase: string | undefined): unknown {
  try {
    open(passphrase);
    return undefined;
  } catch (error) {
    return error;
  }
}

function isLocked(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_MISSING_PASSPHRASE' ||
    /mac verify|bad[ _]decrypt|interrupted or cancelled|passphrase|INCORRECT_PASSWORD/i.test(messageOf(error))
  );
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw unusable(file, cause);
  }
}

function unusable(file: string, cause: unknown): SwitchboardError {
  return new SwitchboardError(
    'tls',
    l10n.t(
      'The client certificate can\'t be used: {0}. Check the settings under "switchboard.network".',
      file,
    ),
    { systemError: messageOf(cause), cause },
  );
}
