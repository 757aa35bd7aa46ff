import temml from 'temml';

/** A formula that is drawn is drawn again with each change of its block: it is made once. */
const known = new Map<string, Element | undefined>();
const mostKnown = 300;
/** More is too much to lay out. */
const mostElements = 1000;
/** Levels of what stands in each other: laying them out takes a look at each level more than once. */
const deepest = 30;

/**
 * A formula as MathML, which needs no styles or fonts of its own.
 * @param source with its delimiters
 * @returns undefined if it cannot be drawn: the formula is not complete, wrong, or too large
 */
export function toMathMl(source: string): Element | undefined {
  if (!known.has(source)) {
    known.set(source, convert(source));
    if (known.size > mostKnown) known.delete(known.keys().next().value!);
  }
  return known.get(source)?.cloneNode(true) as Element | undefined;
}

const delimited =
  /^(?:\\\((?<inline>[^]+)\\\)|\\\[(?<block>[^]+)\\\]|\$\$(?<dollars>[^]+)\$\$|\$(?<dollar>[^]+)\$)$/;
/** Its arrow is a picture, which the panel's policy does not let in. */
const undrawable = /\\cancelto\b/;

function convert(source: string): Element | undefined {
  const { inline, block, dollars, dollar } = delimited.exec(source)?.groups ?? {};
  const formula = inline ?? block ?? dollars ?? dollar;
  if (formula === undefined || undrawable.test(formula)) return undefined;
  const displayMode = inline === undefined && dollar === undefined;
  const room = document.createElement('span');
  try {
    temml.render(formula, room, {
      ...{ displayMode, throwOnError: true, trust: false, wrap: displayMode ? 'none' : 'tex' },
      // In em, and how often macros are expanded, which is what a formula may cost.
      ...{ maxSize: [20, 20], maxExpand: 200 },
    });
  } catch {
    return undefined;
  }
  const [math] = room.children;
  const isSmall = room.getElementsByTagName('*').length <= mostElements;
  return math && isSmall && isSafe(math) ? math : undefined;
}

const names =
  /^(?:math|semantics|m(?:enclose|error|frac|i|multiscripts|n|o|over|padded|phantom|prescripts|root|row|s|space|sqrt|style|sub|subsup|sup|table|td|text|tr|under|underover)|none|span)$/;

/** The library writes nothing else; this is the second lock. */
function isSafe(element: Element, level = 0): boolean {
  return (
    level <= deepest &&
    names.test(element.localName) &&
    element.getAttributeNames().every((name) => !/^(?:on|href|src|xlink)/i.test(name)) &&
    [...element.children].every((child) => isSafe(child, level + 1))
  );
}
