import DOMPurify from 'dompurify';

/**
 * The renderer escapes what a model wrote, so nothing of this should ever be needed: it is the second lock. It lets
 * through the elements that Markdown has, and addresses of the web and of mail.
 */
const purifier = DOMPurify(window);
purifier.setConfig({
  ALLOWED_TAGS: [
    ...[
      'a',
      'blockquote',
      'br',
      'code',
      'del',
      'em',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'hr',
      'li',
      'ol',
      'p',
    ],
    ...['pre', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: ['align', 'aria-label', 'class', 'colspan', 'href', 'role', 'start', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  // These hold no addresses; without this they would have to look like one.
  ADD_URI_SAFE_ATTR: ['align', 'colspan', 'start'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
});

/** Foreign HTML as nodes that can do nothing. */
export function toFragment(html: string): DocumentFragment {
  // The type of `sanitize` does not know what `setConfig` said.
  const fragment: unknown = purifier.sanitize(html);
  return document.importNode(fragment as DocumentFragment, true);
}

/**
 * Several pieces of HTML, each of which is one element. They are made together, since sanitising has a price per call
 * that an answer of hundreds of blocks would pay hundreds of times.
 */
export function toElements(pieces: readonly string[]): Element[] {
  const elements = [...toFragment(pieces.join('')).children];
  return elements.length === pieces.length ? elements : pieces.map(toElement);
}

function toElement(html: string): Element {
  return toFragment(html).firstElementChild ?? document.createElement('p');
}
