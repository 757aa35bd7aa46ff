import * as l10n from '@vscode/l10n';

/** What the buttons of a code block do; the transcript listens for their clicks. */
export type CodeAction = 'copy' | 'insert';

/** A code block with its header around the `pre` that holds the code. */
export function frameCode(pre: HTMLElement, language: string): HTMLElement {
  const frame = document.createElement('div');
  frame.className = 'code-block';
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

function iconButton(action: CodeAction, name: string, icon: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon-button';
  button.dataset['codeAction'] = action;
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
): { action: CodeAction; text: string; button: HTMLElement } | undefined {
  const button = target.closest<HTMLElement>('button[data-code-action]');
  const code = button?.closest('.code-block')?.querySelector('code');
  if (!button || !code) return undefined;
  return { action: button.dataset['codeAction'] as CodeAction, text: code.textContent, button };
}
