import type { BlockChange } from './blockCache.ts';
import { createBlockViews, type BlockView } from './blockViews.ts';
import { highlight } from './highlight.ts';

/** Draws the blocks of one text into an element. */
export class MarkdownView {
  private readonly views: BlockView[] = [];

  constructor(private readonly root: Element) {}

  apply({ from, blocks }: BlockChange): void {
    const changed = blocks.map((block, index) => !this.views[from + index]?.update(block));
    const fresh = createBlockViews(blocks.filter((_, index) => changed[index]));
    changed.forEach((isChanged, index) => {
      const view = isChanged ? fresh.shift() : undefined;
      if (!view) return;
      const old = this.views[from + index];
      if (old) old.element.replaceWith(view.element);
      else this.root.append(view.element);
      this.views[from + index] = view;
    });
    for (const view of this.views.splice(from + blocks.length)) view.element.remove();
  }

  /** Highlights all code, once nothing of it can change any more. */
  highlightAll(): void {
    for (const code of this.root.querySelectorAll<HTMLElement>('pre > code')) highlight(code);
  }
}
