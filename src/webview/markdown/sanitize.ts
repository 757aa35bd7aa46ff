import DOMPurify from 'dompurify';

/** Second line of defence: the renderer escapes, too. Allows Markdown's elements, those of `htmlRules.ts`, and web and mail addresses. */
const purifier = DOMPurify(window);
purifier.setConfig({
  ALLOWED_TAGS: [
    'a',
    'b',
    'blockquote',
    'br',
    'code',
    'del',
    'details',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'i',
    'kbd',
    'li',
    'ol',
    'p',
    'pre',
    'span',
    'strong',
    'sub',
    'summary',
    'sup',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ],
  ALLOWED_ATTR: ['align', 'aria-label', 'class', 'colspan', 'href', 'role', 'start', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  // DOMPurify would check them as addresses.
  ADD_URI_SAFE_ATTR: ['align', 'colspan', 'start'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
});

export function toFragment(html: string): DocumentFragment {
  // Its type ignores `setConfig`.
  const fragment: unknown = purifier.sanitize(html);
  return document.importNode(fragment as DocumentFragment, true);
}

/** Sanitizes pieces of one element each in one call: each call has a fixed cost. */
export function toElements(pieces: readonly string[]): Element[] {
  const elements = [...toFragment(pieces.join('')).children];
  return elements.length === pieces.length ? elements : pieces.map(toElement);
}

function toElement(html: string): Element {
  return toFragment(html).firstElementChild ?? document.createElement('p');
}
