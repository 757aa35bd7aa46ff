/** What a tree needs to know of its items. */
export interface TreeItem {
  readonly type: string;
  readonly id: string;
}

interface Node<T> {
  item: T | undefined;
  parent: Node<T> | undefined;
  children: Node<T>[];
  /** On the path, if this is; undefined at its end. */
  chosen: Node<T> | undefined;
  /** It and all below it is neither on the path nor a version, until it is chosen. */
  isDeleted?: boolean;
}

/**
 * The items of a conversation: a tree, in which one path is chosen. Where something was asked again, the old way stays
 * as a branch beside the new one, and can be chosen again. What is *said*, messages and answers, makes up the versions
 * between which the user chooses; everything else hangs between them.
 */
export class ItemTree<T extends TreeItem> {
  private readonly root: Node<T> = { item: undefined, parent: undefined, children: [], chosen: undefined };
  private leaf = this.root;
  private readonly nodes = new Map<string, Node<T>>();
  /** Made when it is next asked for, if it is not known. */
  private known: T[] | undefined = [];

  constructor(private readonly isSaid: (item: T) => boolean) {}

  /** The chosen path. */
  get path(): readonly T[] {
    if (!this.known) {
      this.known = [];
      for (let node = this.root.chosen; node?.item; node = node.chosen) this.known.push(node.item);
    }
    return this.known;
  }

  /** The last item of the path. */
  get last(): T | undefined {
    return this.leaf.item;
  }

  /** On any branch. */
  find(id: string): T | undefined {
    return this.nodes.get(id)?.item;
  }

  push(item: T): void {
    const node: Node<T> = { item, parent: this.leaf, children: [], chosen: undefined };
    this.leaf.children.push(node);
    this.leaf.chosen = node;
    this.leaf = node;
    this.nodes.set(item.id, node);
    this.known?.push(item);
  }

  /** Between an item and the one before it, on every path that goes through it. */
  insertBefore(id: string, item: T): void {
    const next = this.nodes.get(id);
    const parent = next?.parent;
    if (!next || !parent) return;
    const node: Node<T> = { item, parent, children: [next], chosen: next };
    parent.children[parent.children.indexOf(next)] = node;
    if (parent.chosen === next) parent.chosen = node;
    next.parent = node;
    this.nodes.set(item.id, node);
    if (next === this.leaf) this.known?.splice(-1, 0, item);
    else this.known = undefined;
  }

  /**
   * After something said and what hangs on it already, before what is said next. That is the end of the path, unless
   * two windows were in one conversation.
   * @param isPassed whether it goes after such an item, too
   */
  insertAfter(id: string, item: T, isPassed: (item: T) => boolean): void {
    let end = this.nodes.get(id);
    if (!end) return;
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

  /** Puts an item in the place of the one with its id. */
  replace(item: T): void {
    const node = this.nodes.get(item.id);
    if (!node) return;
    node.item = item;
    this.known = undefined;
  }

  /**
   * What comes next stands beside this item: it and all after it stay as a branch. It is on the path, unless another
   * window has chosen another branch meanwhile.
   */
  startVersion(id: string): void {
    const parent = this.nodes.get(id)?.parent;
    if (!parent) return;
    leadTo(parent);
    this.endAt(parent);
  }

  /** The path does not go through this item any more, but ends before it. It and all below it is no branch either, until `choose` brings it back. */
  delete(id: string): void {
    const node = this.nodes.get(id);
    if (!node) return;
    const isOnPath = this.isOnPath(node);
    const parent = node.parent!;
    node.isDeleted = true;
    if (isOnPath) this.endAt(parent);
    else if (parent.chosen === node) parent.chosen = undefined;
  }

  /** Removes an item of the path with all that follows it on any branch. */
  remove(id: string): void {
    const node = this.nodes.get(id);
    if (!node || !this.isOnPath(node)) return;
    const parent = node.parent!;
    parent.children = parent.children.filter((child) => child !== node);
    this.endAt(parent);
    for (const removed of from(node)) {
      // The same item may stand on another branch, too.
      if (removed.item && this.nodes.get(removed.item.id) === removed) this.nodes.delete(removed.item.id);
    }
  }

  /** Whether an item, or one that follows it on any branch, is like this. */
  someFrom(id: string, isLike: (item: T) => boolean): boolean {
    const node = this.nodes.get(id);
    if (!node) return false;
    for (const { item } of from(node)) if (item && isLike(item)) return true;
    return false;
  }

  /** Lets the path go through this item, and from there the way it went last. */
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

  /** What stands beside something said, itself included, oldest first. */
  versionsOf(id: string): readonly T[] {
    const node = this.nodes.get(id);
    return node?.parent ? this.saidBelow(this.saidAt(node.parent)) : [];
  }

  /** What is said next after an item on each branch, or at the beginning; oldest first. */
  saidAfter(id: string | undefined): readonly T[] {
    const node = id === undefined ? this.root : this.nodes.get(id);
    return node ? this.saidBelow(node) : [];
  }

  /** The first thing said on the way to an item that is not on the path; undefined if all of the way is. */
  turnOff(id: string): T | undefined {
    const way: Node<T>[] = [];
    for (let node = this.nodes.get(id); node?.parent; node = node.parent) way.push(node);
    way.reverse();
    const at = way.findIndex((node) => node.parent?.chosen !== node);
    const off = at < 0 ? [] : way.slice(at);
    return off.find(({ item }) => item && this.isSaid(item))?.item;
  }

  /** It, or what it follows, was deleted. */
  isDeleted(id: string): boolean {
    for (let node = this.nodes.get(id); node; node = node.parent) if (node.isDeleted) return true;
    return false;
  }

  /** What was said on a branch beside the end of the path, where the path itself has nothing said: the newest of it. */
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

  /** The nearest node that says something, from this one upwards; the root if there is none. */
  private saidAt(node: Node<T>): Node<T> {
    let at = node;
    while (at.parent && !(at.item && this.isSaid(at.item))) at = at.parent;
    return at;
  }

  /** On each branch below a node, the first that is said. */
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

/** Lets the path come to a node; what was deleted on the way is back. */
function leadTo<T>(node: Node<T>): void {
  for (let on = node; on.parent; on = on.parent) {
    on.parent.chosen = on;
    on.isDeleted = false;
  }
}

/** A node and all below it, on every branch. */
function* from<T>(node: Node<T>): Generator<Node<T>> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    open.push(...next.children);
  }
}

/** Where the path goes on; after what was cut off there, the newest. */
function chosenOf<T>({ chosen, children }: Node<T>): Node<T> | undefined {
  return chosen ?? children.findLast(({ isDeleted }) => !isDeleted);
}
