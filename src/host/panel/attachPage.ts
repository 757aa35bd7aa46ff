import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pageAddress } from '../../base/urls.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log.ts';
import type { TextSource } from '../../chat/attachments/attachment.ts';
import type { AttachmentList } from '../../chat/attachments/attachmentList.ts';
import { pageName, readPage } from '../../chat/attachments/readPage.ts';
import type { KeyStore } from '../../connections/keyStore.ts';
import { findEditorResolver } from '../../net/editorResolver.ts';
import { checkAddress, fetchPage } from '../../net/fetchPage.ts';
import { createHttpClient, type NetworkSettings } from '../../net/httpClient.ts';
import { publicLookup } from '../../net/publicAddresses.ts';
import type { Memory } from '../../settings/memory.ts';
import { viewId } from '../ids.ts';
import type { Settings } from '../settings.ts';
import { createNetworkReader } from '../window/networkReader.ts';
import { createNetworkSecrets } from '../window/networkSecrets.ts';
import { askModal } from '../ui/modals.ts';

export interface PageDependencies {
  settings: Settings;
  keys: KeyStore;
  memory: Pick<Memory, 'pageHosts'>;
  log: Log;
}

/** Attaches a page as text. Asks for its address unless it is given, and for its host before anything is sent. */
export async function attachPage(
  deps: PageDependencies,
  list: AttachmentList,
  given?: string,
  loadPage = load,
): Promise<void> {
  const url = pageAddress(given ?? (await askAddress()) ?? '');
  if (!url) return focusPanel();
  checkAddress(url);
  url.hash = '';
  const isAllowed = await askHost(deps, url);
  void focusPanel();
  if (!isAllowed) return;
  const allowed = new Set([url.host]);
  const mayLoad = async (next: URL) => allowed.has(next.host) || askHost(deps, next);
  const source: TextSource = { type: 'text', of: 'page', name: pageName(url), text: '' };
  await list.load(source, (signal) => loadPage(deps, url, mayLoad, signal));
}

async function load(
  { settings, keys, log }: PageDependencies,
  url: URL,
  mayLoad: (url: URL) => Promise<boolean>,
  signal: AbortSignal,
) {
  const network = createNetworkReader(settings, log);
  const resolveProxy = findEditorResolver(vscode.env.appRoot);
  const client = createHttpClient({
    ...{ log, resolveProxy, secrets: createNetworkSecrets(keys), lookup: publicLookup() },
    // Behind a proxy, only the certificate proves that this is the server the user allowed.
    settings: () => ({ ...withoutCertificate(network()), strictTls: true }),
  });
  try {
    const page = await fetchPage(url, { client, mayLoad, signal });
    if (page) return await readPage(page, signal);
    throw new SwitchboardError('cancelled', l10n.t('Not loaded: you refused the address it redirects to.'));
  } finally {
    client.dispose();
  }
}

/** Pages must not learn who the user is. */
function withoutCertificate({
  clientCertificate: _certificate,
  ...network
}: NetworkSettings): NetworkSettings {
  return network;
}

async function askAddress(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: l10n.t('Attach Web Page'),
    prompt: l10n.t('Address of the page'),
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || pageAddress(text)
        ? undefined
        : l10n.t('Enter an address that begins with https://.'),
  });
}

async function askHost({ memory }: PageDependencies, { host, href }: URL): Promise<boolean> {
  if (memory.pageHosts.includes(host)) return true;
  const [once, always] = [l10n.t('Load'), l10n.t('Always for This Host')];
  const text = l10n.t('Load a page from {0}?', host);
  const detail = l10n.t('{0}\nIts text is sent with your message.', href);
  const answer = await askModal({ severity: 'information', text, detail }, once, always);
  if (answer === always) memory.pageHosts = [...memory.pageHosts, host];
  return answer === once || answer === always;
}

/** The editor's own dialogs leave the focus in the text editors. */
async function focusPanel(): Promise<void> {
  await vscode.commands.executeCommand(`${viewId}.focus`);
}
