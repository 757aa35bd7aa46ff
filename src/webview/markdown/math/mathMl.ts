import temml from 'temml';

/** Cache: a formula is drawn again with each change of its block. */
const known = new Map<string, Element | undefined>();
const mostKnown = 300;
const mostElements = 1000;
/** Nesting levels: layout visits each of them more than once. */
const deepest = 30;

/** A formula (with delimiters) as MathML, which needs no styles; undefined if incomplete, invalid or too large. */
export function toMathMl(source: string): Element | undefined {
  if (!known.has(source)) {
    known.set(source, convert(source));
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
  }
  return known.get(source)?.cloneNode(true) as Element | undefined;
}

const delimited =
  /^(?:\\\((?<inline>[^]+)\\\)|\\\[(?<block>[^]+)\\\]|\$\$(?<dollars>[^]+)\$\$|\$(?<dollar>[^]+)\$)$/;
/** Draws its arrow as an image, which the panel's policy blocks. */
const undrawable = /\\cancelto\b/;

function convert(source: string): Element | undefined {
  const { inline, block, dollars, dollar } = delimited.exec(source)?.groups ?? {};
  const formula = inline ?? block ?? dollars ?? dollar;
  if (formula === undefined || undrawable.test(formula)) return undefined;
  const displayMode = inline === undefined && dollar === undefined;
  const room = document.createElement('span');
  try {
    temml.render(formula, room, {
      displayMode,
      throwOnError: true,
      trust: false,
      wrap: displayMode ? 'none' : 'tex',
      // In em.
      maxSize: [20, 20],
      // Macro expansions, the cost of a formula.
      maxExpand: 200,
    });
  } catch {
    return undefined;
  }
  const [math] = room.children;
  const isSmall = room.getElementsByTagName('*').length <= mostElements;
  return math && isSmall && isSafe(math) ? math : undefined;
}

const names =
  /^(?:math|m(?:enclose|frac|i|multiscripts|n|o|over|padded|phantom|prescripts|root|row|space|sqrt|style|sub|subsup|sup|table|td|text|tr|under|underover)|none|span)$/;

function isSafe(element: Element, level = 0): boolean {
  return (
    level <= deepest &&
    names.test(element.localName) &&
    element.getAttributeNames().every((name) => !/^(?:on|href|src|xlink)/i.test(name)) &&
    [...element.children].every((child) => isSafe(child, level + 1))
  );
}
