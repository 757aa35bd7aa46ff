import * as l10n from '@vscode/l10n';
import { iconButton } from './code/codeFrame.ts';

/** Larger diagrams may block the panel: the frame needn't have a process of its own. */
const quick = { characters: 4000, lines: 100 };
const longest = 10_000;
const limitMs = 10_000;
const smallest = 0.6;

interface Look {
  theme: 'dark' | 'default' | 'base';
  fontFamily: string;
  themeVariables: Record<string, string>;
}

export interface DiagramRequest {
  id: number;
  text: string;
  look: Look;
}

export interface DiagramResponse {
  id: number;
  svg?: string;
  type?: string;
}

let frame: Promise<HTMLIFrameElement> | undefined;
let requests = 0;

/** Replaces code by its diagram; invalid diagrams stay code. `isAsked`: the user asked, so large ones are drawn. */
export async function drawDiagram(code: HTMLElement, isAsked = false): Promise<void> {
  const block = code.closest<HTMLElement>('.code-block');
  const text = code.textContent;
  if (!block || text.length > longest) return;
  const isQuick = text.length <= quick.characters && text.split('\n').length <= quick.lines;
  if (!isQuick && !isAsked) return offer(block);
  block.querySelector('[data-action="draw"]')?.remove();
  const response = await render(text).catch(() => undefined);
  if (!block.isConnected || code.textContent !== text) return;
  if (response?.svg === undefined) return showFailure(block);
  await show(block, response.svg, response.type ?? '');
  watchTheme();
}

function offer(block: HTMLElement): void {
  if (block.querySelector('[data-action="draw"]')) return;
  block.querySelector('.code-language')?.after(iconButton('draw', l10n.t('Draw Diagram'), 'type-hierarchy'));
}

function showFailure(block: HTMLElement): void {
  if (block.querySelector('.diagram-note')) return;
  const note = document.createElement('p');
  note.className = 'diagram-note';
  note.textContent = l10n.t("Couldn't draw the diagram.");
  block.append(note);
}

async function show(block: HTMLElement, svg: string, type: string): Promise<void> {
  const picture = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const [width = 0, height = 0] =
    /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1).map(Number) ?? [];
  if (width > 0 && height > 0) [picture.width, picture.height] = [Math.ceil(width), Math.ceil(height)];
  // Scrolls rather than becoming unreadable.
  picture.style.minWidth = `${Math.round(width * smallest)}px`;
  picture.alt = type ? l10n.t('Diagram, {0}', type) : l10n.t('Diagram');
  picture.src = url;
  await picture.decode().finally(() => URL.revokeObjectURL(url));
  const old = block.querySelector('.diagram');
  const room = document.createElement('div');
  room.className = 'diagram';
  room.tabIndex = 0;
  room.setAttribute('role', 'group');
  room.setAttribute('aria-label', l10n.t('Diagram'));
  room.append(picture);
  if (old) return old.replaceWith(room);
  block.querySelector('pre')?.before(room);
  const source = iconButton('source', l10n.t('Show Source'), 'code');
  source.setAttribute('aria-pressed', 'false');
  block.querySelector('.code-language')?.after(source);
  block.classList.add('drawn');
}

async function render(text: string): Promise<DiagramResponse> {
  const { contentWindow } = await (frame ??= createFrame());
  const id = ++requests;
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<DiagramResponse>((resolve, reject) => {
      const onMessage = ({ source, data }: MessageEvent<DiagramResponse>) => {
        if (source === contentWindow && data.id === id) resolve(data);
      };
      window.addEventListener('message', onMessage, { signal: ended.signal });
      timer = setTimeout(() => reject(new Error('Drawing the diagram took too long.')), limitMs);
      const request: DiagramRequest = { id, text, look: lookOf(document.body) };
      contentWindow?.postMessage(request, '*');
    });
  } catch (error) {
    void frame.then((element) => element.remove());
    frame = undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** Without an origin it reaches neither the page nor a server. */
async function createFrame(): Promise<HTMLIFrameElement> {
  const { default: script } = await import('./diagramSandbox.ts?script');
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
  const element = document.createElement('iframe');
  element.className = 'diagram-frame';
  element.setAttribute('sandbox', 'allow-scripts');
  element.setAttribute('aria-hidden', 'true');
  element.tabIndex = -1;
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'`;
  // "</script>" would end the element early.
  const safe = script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
  element.srcdoc =
    `<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<body><script nonce="${nonce}">${safe}</script>`;
  await new Promise((resolve) => {
    element.addEventListener('load', resolve, { once: true });
    document.body.append(element);
  });
  return element;
}

function lookOf(body: HTMLElement): Look {
  const style = getComputedStyle(body);
  const { fontFamily } = style;
  const has = (name: string) => body.classList.contains(name);
  if (!has('vscode-high-contrast'))
    return { theme: has('vscode-light') ? 'default' : 'dark', fontFamily, themeVariables: {} };
  const [color, background] = has('vscode-high-contrast-light')
    ? ['#000000', '#ffffff']
    : ['#ffffff', '#000000'];
  const names = ['primary', 'secondary', 'tertiary'];
  const themeVariables = Object.fromEntries([
    ...names.flatMap((name) => [
      [`${name}Color`, background],
      [`${name}TextColor`, color],
      [`${name}BorderColor`, color],
    ]),
    ...['background', 'mainBkg', 'noteBkgColor', 'edgeLabelBackground'].map((name) => [name, background]),
    ...['textColor', 'titleColor', 'noteTextColor', 'lineColor', 'noteBorderColor'].map((name) => [
      name,
      color,
    ]),
  ]) as Record<string, string>;
  return { theme: 'base', fontFamily, themeVariables };
}

let isWatching = false;

function watchTheme(): void {
  if (isWatching) return;
  isWatching = true;
  new MutationObserver(() => {
    const codes = document.querySelectorAll<HTMLElement>('.code-block.drawn code');
    for (const code of codes) void drawDiagram(code, true).catch((error: unknown) => console.error(error));
  }).observe(document.body, { attributeFilter: ['class'] });
}
