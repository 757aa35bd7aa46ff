import mermaid, { type MermaidConfig } from 'mermaid';
import type { DiagramRequest, DiagramResponse } from './diagrams.ts';

/*
 * Runs in a frame of its own, which has no origin and no network and shows nothing: it makes pictures of diagrams. The
 * frame inherits the panel's policy, which forbids styles in the markup, but not those that scripts set.
 */

const setAttribute = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute')!.value as (
  this: Element,
  name: string,
  value: string,
) => void;
Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
  if (name === 'style' && 'style' in this) (this.style as CSSStyleDeclaration).cssText = value;
  else setAttribute.call(this, name, value);
};

/** Of a type that the browser takes no notice of, so that it breaks no policy. */
const inertStyle = 'text/inert';

Object.defineProperty(HTMLStyleElement.prototype, 'innerHTML', {
  set(this: HTMLStyleElement, text: string) {
    this.type = inertStyle;
    this.textContent = text;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  },
});

window.addEventListener('message', ({ data }: MessageEvent<DiagramRequest>) => void draw(data));

async function draw({ id, text, look }: DiagramRequest): Promise<void> {
  let response: DiagramResponse;
  try {
    mermaid.initialize({ ...config, ...look });
    const { svg, diagramType } = await mermaid.render(`diagram-${id}`, text);
    // In the picture it counts.
    response = { id, svg: svg.replaceAll(` type="${inertStyle}"`, ''), type: diagramType };
  } catch {
    response = { id };
  }
  document.body.replaceChildren();
  parent.postMessage(response, '*');
}

const config: MermaidConfig = {
  // The library's other layout is as large as all the rest, and is left out.
  layout: 'dagre',
  ...{ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true },
  // Labels are SVG, not HTML in it: nothing of a text can become an element.
  ...{ htmlLabels: false, flowchart: { htmlLabels: false }, class: { htmlLabels: false } },
  // As wide as where it is drawn, these would be no wider than the panel.
  ...{ gantt: { useWidth: 700 }, journey: { useMaxWidth: true } },
  ...{ maxTextSize: 20_000, maxEdges: 300, deterministicIds: true },
};
