/** Turns `from` into `to` (consumed), keeping selection, scroll position and layout. Returns the element in place. */
export function morph(from: Element, to: Element): Element {
  if (from instanceof HTMLDetailsElement && to instanceof HTMLDetailsElement) to.open = from.open;
  if (from.nodeName !== to.nodeName || !hasSameAttributes(from, to)) {
    from.replaceWith(to);
    return to;
  }
  let old = from.firstChild;
  let next = to.firstChild;
  while (next) {
    const afterNext = next.nextSibling;
    if (!old) {
      from.append(next);
    } else {
      const afterOld: ChildNode | null = old.nextSibling;
      if (!old.isEqualNode(next)) morphNode(old, next);
      old = afterOld;
    }
    next = afterNext;
  }
  while (old) {
    const afterOld: ChildNode | null = old.nextSibling;
    old.remove();
    old = afterOld;
  }
  return from;
}

function morphNode(old: ChildNode, next: ChildNode): void {
  if (old instanceof Element && next instanceof Element) morph(old, next);
  else if (old instanceof Text && next instanceof Text) morphText(old, next.data);
  else old.replaceWith(next);
}

function morphText(old: Text, data: string): void {
  if (data.startsWith(old.data)) old.appendData(data.slice(old.data.length));
  else old.data = data;
}

function hasSameAttributes(a: Element, b: Element): boolean {
  if (a.attributes.length !== b.attributes.length) return false;
  return [...a.attributes].every(({ name, value }) => b.getAttribute(name) === value);
}
