import * as l10n from '@vscode/l10n';
import { shownAddress } from '../base/address.ts';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize } from '../base/text/format.ts';
import type { PlatformContext } from './platformCall.ts';

/** Files of knowledge bases have at most 15 MB by default; proxies in front allow 100. */
export const maxDownloadBytes = 200 * 1024 * 1024;

/** Downloads from a signed address, without the key: it may be on another server. */
export async function* downloadFile(
  { http, timeouts, log }: Pick<PlatformContext, 'http' | 'timeouts' | 'log'>,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const shown = shownAddress(new URL(address));
  const response = await http.send({
    method: 'GET',
    url: address,
    headers: { 'user-agent': 'Switchboard', accept: '*/*' },
    timeouts,
    signal,
  });
  try {
    log.debug(`GET ${shown}: status ${response.status}`);
    if (response.status !== 200) {
      const message = l10n.t("The file couldn't be downloaded: status {0}.", response.status);
      throw new SwitchboardError('request', message, { address: shown, status: response.status });
    }
    if (Number(response.headers['content-length'] ?? 0) > maxDownloadBytes) throw tooLarge(shown);
    let size = 0;
    for await (const piece of response.body) {
      size += piece.byteLength;
      if (size > maxDownloadBytes) throw tooLarge(shown);
      yield piece;
    }
  } finally {
    response.close();
  }
}

function tooLarge(address: string): SwitchboardError {
  const message = l10n.t(
    'The file is larger than {0}. Download it on the platform.',
    formatSize(maxDownloadBytes),
  );
  return new SwitchboardError('too-large', message, { address });
}
