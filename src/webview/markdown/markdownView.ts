import type { Block } from './blocks.ts';
import type { BlockChange } from './blockReader.ts';
import { createBlockViews, type BlockView } from './blockViews.ts';
import { addCitationButtons } from './citationButtons.ts';
import type { IsSource } from './citations.ts';
import { highlight } from './highlight.ts';

/** Draws the blocks of one text into an element. */
export class MarkdownView {
  private readonly views: BlockView[] = [];
  private isSource: IsSource = () => false;

  constructor(private readonly root: Element) {}

  /** What is drawn already gets the buttons of sources that are new; none is ever taken back. */
  cite(isSource: IsSource): void {
    if (this.isSource === isSource) return;
    this.isSource = isSource;
    addCitationButtons(this.root, isSource);
  }

  apply({ from, blocks, isComplete }: BlockChange): void {
    const changed = blocks.map((block, index) => !isUpdated(this.views[from + index], block));
    const fresh = createBlockViews(
      blocks.filter((_, index) => changed[index]),
      (n) => this.isSource(n),
    );
    changed.forEach((isChanged, index) => {
      const view = isChanged ? fresh.shift() : undefined;
      if (!view) return;
      const old = this.views[from + index];
      if (old) old.element.replaceWith(view.element);
      else this.root.append(view.element);
      this.views[from + index] = view;
    });
    if (!isComplete) return;
    for (const view of this.views.splice(from + blocks.length)) view.element.remove();
  }

  /** Highlights all code, once nothing of it can change any more. */
  highlightAll(): void {
    for (const code of this.root.querySelectorAll<HTMLElement>('pre > code')) highlight(code);
  }
}

/** A view that cannot show a block makes place for another one. */
function isUpdated(view: BlockView | undefined, block: Block): boolean {
  try {
    return view?.update(block) ?? false;
  } catch (error) {
    console.error(error);
    return false;
  }
}
