import * as l10n from '@vscode/l10n';

export function addCitationButtons(root: ParentNode, isSource: IsSource): void {
  for (const span of root.querySelectorAll('span.citation')) {
    const numbers = numbersIn(span.textContent);
    if (!numbers.some(isSource)) continue;
    span.replaceWith(...numbers.map((n) => (isSource(n) ? citationButton(n) : citationText(n))));
  }
}

function citationButton(n: number): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'cite';
  button.dataset['source'] = String(n);
  button.title = l10n.t('Source {0}', n);
  button.setAttribute('aria-label', l10n.t('Source {0}', n));
  button.textContent = String(n);
  return button;
}

function citationText(n: number): HTMLElement {
  const span = document.createElement('span');
  span.className = 'citation';
  span.textContent = `[${n}]`;
  return span;
}

export function sourceOf(target: Element): number | undefined {
  const number = target.closest<HTMLElement>('button[data-source]')?.dataset['source'];
  return number === undefined ? undefined : Number(number);
}

export type IsSource = (n: number) => boolean;

export function numbersIn(citation: string): number[] {
  return (citation.match(/\d+/g) ?? []).map(Number);
}
