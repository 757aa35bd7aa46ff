import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { htmlToText } from '../../base/text/htmlText.ts';
import { truncateText } from '../../tools/files/truncate.ts';
import type { TextSource } from './attachment.ts';

interface LoadedPage {
  url: URL;
  isHtml: boolean;
  text: string;
  isCut: boolean;
}

/** More than of a file: the model has no tool that reads the rest. */
const limits = { maxLines: 20_000, maxBytes: 200_000 };

export async function readPage(
  { url, isHtml, text: loaded, isCut }: LoadedPage,
  signal: AbortSignal,
): Promise<Pick<TextSource, 'name' | 'text' | 'isCut'>> {
  const page = isHtml ? await htmlToText(loaded, signal) : { title: '', text: loaded.trim(), isCut: false };
  if (page.text === '') {
    throw new SwitchboardError(
      'request',
      l10n.t("{0} has no text. Pages rendered by scripts can't be attached.", pageName(url)),
    );
  }
  const whole = [page.title, page.text].filter(Boolean).join('\n\n');
  const text = truncateText(whole, 'The rest of the page is not attached.', limits);
  return { name: pageName(url), text, ...((isCut || page.isCut || text !== whole) && { isCut: true }) };
}

export function pageName(url: URL): string {
  return url.host + (url.pathname === '/' ? '' : url.pathname) + url.search;
}
