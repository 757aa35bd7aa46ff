export function openCodeMenu(more: HTMLElement): void {
  const head = more.parentElement;
  const hidden = [...(head?.querySelectorAll<HTMLElement>('.rare') ?? [])].filter(isUsable);
  if (hidden.length === 0) return;
  const menu = document.createElement('div');
  menu.className = 'code-menu';
  menu.popover = 'auto';
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', more.getAttribute('aria-label') ?? '');
  menu.append(...hidden.map((button) => itemOf(button, menu)));
  menu.addEventListener('keydown', (event) => onKey(event, menu));
  menu.addEventListener('toggle', ({ newState }) => {
    more.setAttribute('aria-expanded', String(newState === 'open'));
    if (newState === 'closed') menu.remove();
  });
  more.after(menu);
  menu.showPopover();
  place(menu, more);
  (menu.firstElementChild as HTMLElement | null)?.focus();
}

function isUsable(button: HTMLElement): boolean {
  if (!button.classList.contains('use')) return true;
  const frame = button.closest('.code-block');
  return frame?.matches('.closed:not([aria-busy="true"] .inner)') === true;
}

function itemOf(button: HTMLElement, menu: HTMLElement): HTMLElement {
  const item = document.createElement('button');
  item.type = 'button';
  item.tabIndex = -1;
  const pressed = button.getAttribute('aria-pressed');
  item.setAttribute('role', pressed === null ? 'menuitem' : 'menuitemcheckbox');
  if (pressed !== null) item.setAttribute('aria-checked', pressed);
  const icon = button.firstElementChild?.cloneNode() as HTMLElement;
  if (pressed === 'true') icon.className = 'codicon codicon-check';
  item.append(icon, button.title);
  item.addEventListener('click', () => {
    menu.hidePopover();
    button.click();
  });
  return item;
}

function onKey(event: KeyboardEvent, menu: HTMLElement): void {
  const items = [...menu.children] as HTMLElement[];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const target = targets[event.key];
  if (target !== undefined) items.at(target % items.length)?.focus();
  // The editor's own Escape would stop the turn.
  else if (event.key === 'Escape' || event.key === 'Tab') menu.hidePopover();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function place(menu: HTMLElement, more: HTMLElement): void {
  const { bottom, top, right } = more.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(4, right - width)}px`;
  menu.style.top = `${bottom + height > innerHeight ? Math.max(4, top - height) : bottom}px`;
}
