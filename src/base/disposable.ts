export interface Disposable {
  dispose(): void;
}

/** Disposes its items, newest first; items added after that are disposed immediately. */
export class DisposableStore implements Disposable {
  private items: Disposable[] | undefined = [];

  add<T extends Disposable>(item: T): T {
    if (this.items) this.items.push(item);
    else item.dispose();
    return item;
  }

  dispose(): void {
    const items = this.items ?? [];
    this.items = undefined;
    for (const item of items.toReversed()) item.dispose();
  }
}
