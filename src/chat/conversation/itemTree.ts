export interface TreeItem {
  readonly type: string;
  readonly id: string;
}

interface Node<T> {
  item: T | undefined;
  parent: Node<T> | undefined;
  children: Node<T>[];
  chosen: Node<T> | undefined;
  /** Hides this node and its descendants from path and versions until chosen again. */
  isDeleted?: boolean;
}

/** Tree of items with one chosen path. Retries add branches; users choose versions of *said* items (see `isSaid`). */
export class ItemTree<T extends TreeItem> {
  private readonly root: Node<T> = { item: undefined, parent: undefined, children: [], chosen: undefined };
  private leaf = this.root;
  private readonly nodes = new Map<string, Node<T>>();
  private known: T[] | undefined = [];

  constructor(private readonly isSaid: (item: T) => boolean) {}

  get path(): readonly T[] {
    if (!this.known) {
      this.known = [];
      for (let node = this.root.chosen; node?.item; node = node.chosen) this.known.push(node.item);
    }
    return this.known;
  }

  get last(): T | undefined {
    return this.leaf.item;
  }

  find(id: string): T | undefined {
    return this.nodes.get(id)?.item;
  }

  /** Adds an item unless another one has its id. The same item may be on several branches, once on each. */
  push(item: T): void {
    const there = this.nodes.get(item.id)?.item;
    if (there && (there !== item || this.path.includes(item))) return;
    const node: Node<T> = { item, parent: this.leaf, children: [], chosen: undefined };
    this.leaf.children.push(node);
    this.leaf.chosen = node;
    this.leaf = node;
    this.nodes.set(item.id, node);
    this.known?.push(item);
  }

  /** Inserts before an item on every path through it. */
  insertBefore(id: string, item: T): void {
    const next = this.nodes.get(id);
    const parent = next?.parent;
    if (!next || !parent || this.nodes.has(item.id)) return;
    const node: Node<T> = { item, parent, children: [next], chosen: next };
    parent.children[parent.children.indexOf(next)] = node;
    if (parent.chosen === next) parent.chosen = node;
    next.parent = node;
    this.nodes.set(item.id, node);
    if (next === this.leaf) this.known?.splice(-1, 0, item);
    else this.known = undefined;
  }

  /** Inserts before the next said item, after items for which `isPassed` holds. */
  insertAfter(id: string, item: T, isPassed: (item: T) => boolean): void {
    let end = this.nodes.get(id);
    if (!end || this.nodes.has(item.id)) return;
    const isPart = ({ item: next }: Node<T>) => next !== undefined && !this.isSaid(next) && isPassed(next);
    for (let next = chosenOf(end); next && isPart(next); next = chosenOf(end)) end = next;
    if (end === this.leaf) return this.push(item);
    const node: Node<T> = { item, parent: end, children: end.children, chosen: end.chosen };
    for (const child of node.children) child.parent = node;
    end.children = [node];
    if (end.chosen) end.chosen = node;
    this.nodes.set(item.id, node);
    this.known = undefined;
  }

  replace(item: T): void {
    const node = this.nodes.get(item.id);
    if (!node) return;
    node.item = item;
    this.known = undefined;
  }

  /** Starts a branch beside this item. The path follows it unless another window has chosen a different branch. */
  startVersion(id: string): void {
    const parent = this.nodes.get(id)?.parent;
    if (!parent) return;
    leadTo(parent);
    this.endAt(parent);
  }

  /** Ends the path before this item and hides it with its descendants until `choose` restores them. */
  delete(id: string): void {
    const node = this.nodes.get(id);
    if (!node) return;
    const isOnPath = this.isOnPath(node);
    const parent = node.parent!;
    node.isDeleted = true;
    if (isOnPath) this.endAt(parent);
    else if (parent.chosen === node) parent.chosen = undefined;
  }

  remove(id: string): void {
    const node = this.nodes.get(id);
    if (!node || !this.isOnPath(node)) return;
    const parent = node.parent!;
    parent.children = parent.children.filter((child) => child !== node);
    this.endAt(parent);
    for (const removed of from(node)) {
      // Another branch may contain the same item.
      if (removed.item && this.nodes.get(removed.item.id) === removed) this.nodes.delete(removed.item.id);
    }
  }

  someFrom(id: string, isLike: (item: T) => boolean): boolean {
    const node = this.nodes.get(id);
    if (!node) return false;
    for (const { item } of from(node)) if (item && isLike(item)) return true;
    return false;
  }

  choose(id: string): void {
    const node = this.nodes.get(id);
    if (!node) return;
    leadTo(node);
    let end = node;
    for (let next = chosenOf(end); next; next = chosenOf(end)) {
      end.chosen = next;
      end = next;
    }
    this.leaf = end;
    this.known = undefined;
  }

  versionsOf(id: string): readonly T[] {
    const node = this.nodes.get(id);
    return node?.parent ? this.saidBelow(this.saidAt(node.parent)) : [];
  }

  saidAfter(id: string | undefined): readonly T[] {
    const node = id === undefined ? this.root : this.nodes.get(id);
    return node ? this.saidBelow(node) : [];
  }

  /** First said item leading to this one that is off the path; undefined if it is on the path. */
  turnOff(id: string): T | undefined {
    const way: Node<T>[] = [];
    for (let node = this.nodes.get(id); node?.parent; node = node.parent) way.push(node);
    way.reverse();
    const at = way.findIndex((node) => node.parent?.chosen !== node);
    const off = at < 0 ? [] : way.slice(at);
    return off.find(({ item }) => item && this.isSaid(item))?.item;
  }

  isDeleted(id: string): boolean {
    for (let node = this.nodes.get(id); node; node = node.parent) if (node.isDeleted) return true;
    return false;
  }

  /** Newest said item on a sibling branch where the path's end has none. */
  get abandoned(): T | undefined {
    return this.saidBelow(this.saidAt(this.leaf)).at(-1);
  }

  private endAt(node: Node<T>): void {
    node.chosen = undefined;
    this.leaf = node;
    this.known = undefined;
  }

  private isOnPath(node: Node<T>): boolean {
    for (let on = node; on.parent; on = on.parent) if (on.parent.chosen !== on) return false;
    return true;
  }

  private saidAt(node: Node<T>): Node<T> {
    let at = node;
    while (at.parent && !(at.item && this.isSaid(at.item))) at = at.parent;
    return at;
  }

  private saidBelow(node: Node<T>): T[] {
    const said: T[] = [];
    const open = node.children.toReversed();
    for (let next = open.pop(); next; next = open.pop()) {
      if (next.isDeleted) continue;
      if (next.item && this.isSaid(next.item)) said.push(next.item);
      else open.push(...next.children.toReversed());
    }
    return said;
  }
}

function leadTo<T>(node: Node<T>): void {
  for (let on = node; on.parent; on = on.parent) {
    on.parent.chosen = on;
    on.isDeleted = false;
  }
}

function* from<T>(node: Node<T>): Generator<Node<T>> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    open.push(...next.children);
  }
}

function chosenOf<T>({ chosen, children }: Node<T>): Node<T> | undefined {
  return chosen ?? children.findLast(({ isDeleted }) => !isDeleted);
}
