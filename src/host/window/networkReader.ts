import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { NetworkSettings } from '../../net/httpClient.ts';
import { ofUser } from '../../settings/settingLayers.ts';
import type { Settings } from '../settings.ts';

export function createNetworkReader(settings: Settings, log: Log): () => NetworkSettings {
  let wasStrict = true;
  return () => {
    const http = vscode.workspace.getConfiguration('http');
    /** Ignores workspace values: an opened folder must not redirect requests or turn checks off. */
    const get = <T>(name: string, fallback: T): T =>
      ofUser(http.get<T>(name, fallback), http.inspect<T>(name)) ?? fallback;
    const isOff = get<string>('proxySupport', 'override') === 'off';
    const proxyUrl = isOff ? '' : get<string>('proxy', '').trim();
    const proxyAuthorization = get<string | null>('proxyAuthorization', null);
    const strictTls = get('proxyStrictSSL', true);
    if (wasStrict && !strictTls) {
      log.warn('Certificates are not checked: http.proxyStrictSSL is off in the settings of the user');
    }
    wasStrict = strictTls;
    const certificateFile = settings.get('network.clientCertificateFile');
    const keyFile = settings.get('network.clientKeyFile');
    return {
      ...(proxyUrl && { proxyUrl }),
      ...(proxyAuthorization && { proxyAuthorization }),
      noProxy: isOff ? ['*'] : get<string[]>('noProxy', []),
      strictTls,
      systemCertificates: get('systemCertificates', true),
      caFile: settings.get('network.caFile'),
      ...(certificateFile && { clientCertificate: { certificateFile, keyFile } }),
    };
  };
}
