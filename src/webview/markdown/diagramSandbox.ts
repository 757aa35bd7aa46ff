import mermaid, { type MermaidConfig } from 'mermaid';
import type { DiagramRequest, DiagramResponse } from './diagrams.ts';

/*
 * Renders diagrams to SVG in a hidden frame without origin or network. The frame inherits the panel's policy, which
 * forbids inline styles in markup but not from scripts. Anything that would load a resource is removed before it
 * enters the document.
 */

/** True for a CSS or attribute value that may load something; references into the same SVG don't. */
const mayLoad = (value: string) =>
  /\\|@import|(url|src|image|image-set|cross-fade)\(/i.test(
    value.replace(/url\(\s*["']?#[^()"'\\]*["']?\s*\)/gi, ''),
  );

function removeLoads(style: CSSStyleDeclaration): void {
  for (const name of [...style]) if (mayLoad(style.getPropertyValue(name))) style.removeProperty(name);
}

function removeRuleLoads(rules: CSSRuleList): void {
  for (const rule of rules) {
    if ('style' in rule) removeLoads(rule.style as CSSStyleDeclaration);
    if ('cssRules' in rule) removeRuleLoads(rule.cssRules as CSSRuleList);
  }
}

const { setAttribute, setAttributeNS } = Element.prototype;
const isHarmless = (element: Element, name: string, value: string) =>
  /^(xlink:)?(href|src|srcset)$/i.test(name)
    ? element.localName === 'a' || value.startsWith('#')
    : name.startsWith('aria-') || !mayLoad(value);

Element.prototype.setAttribute = function (this: Element, name: string, value: string | number) {
  const text = String(value);
  if (name === 'style' && 'style' in this) {
    const style = this.style as CSSStyleDeclaration;
    style.cssText = text;
    removeLoads(style);
  } else if (isHarmless(this, name, text)) setAttribute.call(this, name, text);
};
Element.prototype.setAttributeNS = function (
  this: Element,
  namespace: string | null,
  name: string,
  value: string | number,
) {
  const text = String(value);
  if (isHarmless(this, name, text)) setAttributeNS.call(this, namespace, name, text);
};

const { setProperty } = CSSStyleDeclaration.prototype;
CSSStyleDeclaration.prototype.setProperty = function (this: CSSStyleDeclaration, ...args) {
  setProperty.apply(this, args);
  removeLoads(this);
};

Object.defineProperty(HTMLImageElement.prototype, 'src', {
  set() {
    throw new Error('A diagram loads nothing.');
  },
});

/** A type that browsers ignore, so that the style violates no policy. */
const inertStyle = 'text/inert';

Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  set(this: HTMLStyleElement, text: string) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    removeRuleLoads(sheet.cssRules);
    this.type = inertStyle;
    this.textContent = Array.from(sheet.cssRules, ({ cssText }) => cssText).join('\n');
    document.adoptedStyleSheets = [sheet];
  },
});

window.addEventListener('message', ({ data }: MessageEvent<DiagramRequest>) => void draw(data));

async function draw({ id, text, look }: DiagramRequest): Promise<void> {
  let response: DiagramResponse;
  try {
    // Settings of the previous diagram would persist, and invalid ones would break every later diagram.
    mermaid.mermaidAPI.reset();
    mermaid.initialize({ ...config, ...look });
    const { svg, diagramType } = await mermaid.render(`diagram-${id}`, text);
    response = { id, svg: toPicture(svg), type: diagramType };
  } catch {
    response = { id };
  }
  document.body.replaceChildren();
  parent.postMessage(response, '*');
}

/** Well-formed XML without addresses: the library writes HTML, and links in an image lead nowhere. */
function toPicture(svg: string): string {
  const picture = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')!;
  for (const element of picture.querySelectorAll('*')) {
    if (element.localName === 'style') element.removeAttribute('type');
    for (const { name, value } of Array.from(element.attributes)) {
      if (!isHarmless(element, name, value) || element.localName === 'a') element.removeAttribute(name);
    }
  }
  return new XMLSerializer().serializeToString(picture);
}

const config: MermaidConfig = {
  // The library's other layout, as large as everything else, is not bundled.
  layout: 'dagre',
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  // Keys that directives in a diagram can't change, beside the library's own list.
  secure: [
    'themeCSS',
    'fontFamily',
    'altFontFamily',
    'dompurifyConfig',
    'htmlLabels',
    'layout',
    'logLevel',
    'arrowMarkerAbsolute',
    'deterministicIds',
    'forceLegacyMathML',
    'legacyMathML',
  ],
  dompurifyConfig: {
    FORBID_TAGS: ['audio', 'feimage', 'iframe', 'image', 'img', 'input', 'link', 'object', 'style', 'video'],
    FORBID_ATTR: ['background', 'poster', 'src', 'srcset', 'style'],
  },
  htmlLabels: false,
  flowchart: { htmlLabels: false },
  class: { htmlLabels: false },
  // Their default width is that of the container, here the narrow panel.
  gantt: { useWidth: 700 },
  journey: { useMaxWidth: true },
  maxTextSize: 20_000,
  maxEdges: 300,
  deterministicIds: true,
};
