import * as vscode from 'vscode';
import type { NetworkSettings } from '../net/httpClient.ts';
import type { Settings } from './settings.ts';

/** How to reach the network, as the editor's `http.*` settings and ours say. */
export function readNetworkSettings(settings: Settings): NetworkSettings {
  const http = vscode.workspace.getConfiguration('http');
  const proxyUrl = http.get<string>('proxy', '').trim();
  const off = http.get<string>('proxySupport') === 'off';
  return {
    ...(proxyUrl && !off && { proxyUrl }),
    noProxy: http.get<string[]>('noProxy', []),
    strictTls: http.get('proxyStrictSSL', true),
    caFile: settings.get('network.caFile'),
  };
}
