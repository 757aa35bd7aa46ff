import * as l10n from '@vscode/l10n';
import { foldLabel } from '../foldLabel.ts';

/** What the buttons of a code block do; the transcript listens for their clicks. */
export type CodeAction = 'copy' | 'insert' | 'source' | 'draw';

/** A code block with its header around the `pre` that holds the code. */
export function frameCode(pre: HTMLElement, language: string): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code-block';
  // In any language.
  frame.dir = 'ltr';
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', language ? l10n.t('Code, {0}', language) : l10n.t('Code'));
  const head = document.createElement('div');
  head.className = 'code-head';
  const label = document.createElement('span');
  label.className = 'code-language';
  label.textContent = language;
  head.append(
    label,
    iconButton('insert', l10n.t('Insert at cursor'), 'insert'),
    iconButton('copy', l10n.t('Copy'), 'copy'),
  );
  // Wide code scrolls, and what scrolls must be reachable with the keyboard.
  pre.tabIndex = 0;
  frame.append(head, pre);
  return frame;
}

/** Code with more lines is folded to its first ones: so many as `code.css` leaves. */
const mostLines = 40;

/** Whether the user has unfolded what has this key. */
export type IsOpen = (key: string) => boolean;

/** Folds long code to its first lines, above a button for all of them. To be called again when it has grown. */
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
    // Its first lines stay what they are while it grows.
    button.dataset['key'] = `code:${hashOf(code.text.split('\n', mostLines).join('\n'))}`;
    frame.append(button);
    frame.classList.toggle('folded', !isOpen(button.dataset['key']));
  }
  if (button.dataset['lines'] === String(code.lines)) return;
  button.dataset['lines'] = String(code.lines);
  nameMoreButton(frame, button);
}

/** The button under long code, if the target is one, and the code's frame. */
export function codeFoldOf(target: Element): { button: HTMLElement; frame: HTMLElement } | undefined {
  const button = target.closest<HTMLElement>('button.code-more');
  const frame = button?.closest<HTMLElement>('.code-block');
  return button && frame ? { button, frame } : undefined;
}

/** Folds or unfolds code. @returns its key */
export function toggleCode({ button, frame }: { button: HTMLElement; frame: HTMLElement }): string {
  frame.classList.toggle('folded');
  nameMoreButton(frame, button);
  return button.dataset['key'] ?? '';
}

/** Shows the code of a diagram that is drawn, or the diagram again. */
export function toggleSource(button: Element): void {
  const isShown = button.closest('.code-block')?.classList.toggle('source');
  button.setAttribute('aria-pressed', String(isShown));
}

/** Shows the code that something stands in, if it is folded or drawn as a diagram. */
export function unfoldAround(element: Element): void {
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

/** FNV-1a: short, and the same whenever the page is shown again. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

export function iconButton(action: string, name: string, icon: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.dataset['action'] = action;
  button.title = name;
  button.setAttribute('aria-label', name);
  const glyph = document.createElement('span');
  glyph.className = `codicon codicon-${icon}`;
  glyph.setAttribute('aria-hidden', 'true');
  button.append(glyph);
  return button;
}

/** Which button of which code was clicked, if the target is in one. */
export function codeActionOf(
  target: Element,
): { action: CodeAction; code: HTMLElement; text: string; button: HTMLElement } | undefined {
  const button = target.closest<HTMLElement>('.code-head button[data-action]');
  const code = button?.closest('.code-block')?.querySelector('code');
  if (!button || !code) return undefined;
  return { action: button.dataset['action'] as CodeAction, code, text: code.textContent, button };
}
