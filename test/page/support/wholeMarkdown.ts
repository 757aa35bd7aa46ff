import { Passage } from '../../../src/webview/markdown/blocks.ts';

/** The HTML of a text parsed and rendered in one go, without the page's steps. */
export function renderWhole(text: string): string {
  const passage = new Passage(text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'), {});
  return passage.sections.map(({ tokens }) => passage.render(tokens)).join('');
}
