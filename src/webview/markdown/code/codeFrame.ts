import * as l10n from '@vscode/l10n';
import { foldLabel } from '../../controls/buttons.tsx';
import type { CodeAction as CodeUseAction } from '../../../shared/code.ts';

export type CodeAction = 'copy' | 'insert' | 'source' | 'draw' | 'wrap' | 'more' | CodeUseAction;

const shells = new Set([
  'bash',
  'sh',
  'shell',
  'zsh',
  'fish',
  'console',
  'shellscript',
  'shell-session',
  'powershell',
  'pwsh',
  'ps1',
  'cmd',
  'bat',
]);

type CodeKind = 'shell' | 'diagram' | 'code';

const heads = new Map<CodeKind, HTMLElement>();

/** Frames code with its buttons. A head is built once and copied: an answer may have hundreds of blocks. */
export function frameCode(pre: HTMLElement, language: string): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code-block';
  frame.dir = 'ltr';
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', language ? l10n.t('Code, {0}', language) : l10n.t('Code'));
  const kind = kindOf(language.toLowerCase());
  const built = heads.get(kind) ?? buildHead(kind);
  heads.set(kind, built);
  const head = built.cloneNode(true) as HTMLElement;
  const label = head.querySelector<HTMLElement>('.code-language');
  if (label) Object.assign(label, { textContent: language, title: language });
  pre.tabIndex = 0;
  frame.append(head, pre);
  return frame;
}

function kindOf(language: string): CodeKind {
  if (shells.has(language)) return 'shell';
  return language === 'mermaid' ? 'diagram' : 'code';
}

/** Classes: `use` needs the complete code; `rare` moves to *More* in a narrow block. */
function buildHead(kind: CodeKind): HTMLElement {
  const apply = kind === 'shell' ? 'use rare' : 'use';
  const head = document.createElement('div');
  head.className = 'code-head';
  const label = document.createElement('span');
  label.className = 'code-language';
  head.append(
    label,
    ...(kind === 'shell' ? [iconButton('run', l10n.t('Run in Terminal'), 'terminal', 'use')] : []),
    ...(kind === 'diagram'
      ? []
      : [iconButton('apply', l10n.t('Apply'), 'git-pull-request-go-to-changes', apply)]),
    iconButton('insert', l10n.t('Insert at Cursor'), 'insert'),
    iconButton('copy', l10n.t('Copy'), 'copy'),
    iconButton('create', l10n.t('Create File…'), 'new-file', 'use rare'),
    iconButton('wrap', l10n.t('Wrap Lines'), 'word-wrap', 'rare'),
    iconButton('more', l10n.t('More'), 'ellipsis'),
  );
  const [wrap, more] = [...head.children].slice(-2);
  wrap?.setAttribute('aria-pressed', 'false');
  more?.setAttribute('aria-haspopup', 'menu');
  return head;
}

/** Marks whether the code is complete, so that it can be used. Wrapping that the user chose is restored. */
export function closeCode(
  frame: HTMLElement,
  code: { text: string },
  isClosed: boolean,
  isOpen: IsOpen,
): void {
  frame.classList.toggle('closed', isClosed);
  if (isClosed && isOpen(wrapKey(code.text)) !== frame.classList.contains('wrapped')) toggleWrap(frame);
}

function wrapKey(text: string): string {
  return `wrap:${hashOf(text.split('\n', mostLines).join('\n'))}`;
}

export function toggleWrap(frame: HTMLElement): { key: string; isWrapped: boolean } {
  const isWrapped = frame.classList.toggle('wrapped');
  frame.querySelector('[data-action="wrap"]')?.setAttribute('aria-pressed', String(isWrapped));
  return { key: wrapKey(frame.querySelector('code')?.textContent ?? ''), isWrapped };
}

/** Lines that stay visible, as in `code.css`. */
const mostLines = 40;

export type IsOpen = (key: string) => boolean;

export function foldCode(frame: HTMLElement, code: { text: string; lines: number }, isOpen: IsOpen): void {
  const known = moreButtonOf(frame);
  if (code.lines <= mostLines) {
    known?.remove();
    frame.classList.remove('folded');
    return;
  }
  const button = known ?? document.createElement('button');
  if (!known) {
    button.type = 'button';
    button.className = 'link-button code-more';
    button.dataset['key'] = `code:${hashOf(code.text.split('\n', mostLines).join('\n'))}`;
    frame.append(button);
    frame.classList.toggle('folded', !isOpen(button.dataset['key']));
  }
  if (button.dataset['lines'] === String(code.lines)) return;
  button.dataset['lines'] = String(code.lines);
  nameMoreButton(frame, button);
}

export function codeFoldOf(target: Element): { button: HTMLElement; frame: HTMLElement } | undefined {
  const button = target.closest<HTMLElement>('button.code-more');
  const frame = button?.closest<HTMLElement>('.code-block');
  return button && frame ? { button, frame } : undefined;
}

export function toggleCode({ button, frame }: { button: HTMLElement; frame: HTMLElement }): string {
  frame.classList.toggle('folded');
  nameMoreButton(frame, button);
  return button.dataset['key'] ?? '';
}

export function toggleSource(button: Element): void {
  const isShown = button.closest('.code-block')?.classList.toggle('source');
  button.setAttribute('aria-pressed', String(isShown));
}

export function unfoldAround(element: Element): void {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  const source = element.closest('.code-block.drawn:not(.source)')?.querySelector('[data-action="source"]');
  if (source) toggleSource(source);
  const frame = element.closest<HTMLElement>('.code-block.folded');
  const button = frame && moreButtonOf(frame);
  if (button) toggleCode({ button, frame });
}

function moreButtonOf(frame: HTMLElement): HTMLButtonElement | null {
  return frame.querySelector<HTMLButtonElement>(':scope > .code-more');
}

function nameMoreButton(frame: HTMLElement, button: HTMLElement): void {
  const isOpen = !frame.classList.contains('folded');
  button.setAttribute('aria-expanded', String(isOpen));
  button.textContent = foldLabel(isOpen, Number(button.dataset['lines']));
}

/** FNV-1a: short, and stable across reloads. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

export function iconButton(action: string, name: string, icon: string, more = ''): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `icon-button ${more}`.trim();
  button.dataset['action'] = action;
  button.title = name;
  button.setAttribute('aria-label', name);
  const glyph = document.createElement('span');
  glyph.className = `codicon codicon-${icon}`;
  glyph.setAttribute('aria-hidden', 'true');
  button.append(glyph);
  return button;
}

export function codeActionOf(
  target: Element,
):
  | { action: CodeAction; frame: HTMLElement; code: HTMLElement; text: string; button: HTMLElement }
  | undefined {
  const button = target.closest<HTMLElement>('.code-head button[data-action]');
  const frame = button?.closest<HTMLElement>('.code-block');
  const code = frame?.querySelector('code');
  if (!button || !frame || !code) return undefined;
  return { action: button.dataset['action'] as CodeAction, frame, code, text: code.textContent, button };
}
