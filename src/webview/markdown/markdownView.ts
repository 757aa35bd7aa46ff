import type { Block } from './blocks.ts';
import type { BlockChange } from './blockReader.ts';
import { createBlockViews, replaceView, type BlockView } from './blockViews.ts';
import { addCitationButtons } from './citationButtons.ts';
import type { IsSource } from './citations.ts';
import type { IsOpen } from './codeFrame.ts';
import { cancelHighlight, highlight } from './highlight.ts';

/**
 * Elements that are laid out together. More blocks go into a section of their own, which costs nothing while it is out
 * of view: to lay out a change of thousands of neighbours takes a look at each.
 */
const manyElements = 1000;

/** Draws the blocks of one text into an element. */
export class MarkdownView {
  private readonly views: BlockView[] = [];
  private isSource: IsSource = () => false;
  /** Where the next block goes, and how many elements are there without the last block. */
  private section: Element;
  private elements = 0;

  constructor(
    private readonly root: Element,
    private readonly isOpen: IsOpen,
  ) {
    this.section = root;
  }

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
      { isSource: (n) => this.isSource(n), isOpen: this.isOpen },
    );
    changed.forEach((isChanged, index) => {
      const view = isChanged ? fresh.shift() : undefined;
      if (!view) return;
      const old = this.views[from + index];
      if (old) replaceView(old, view);
      else this.append(view.element);
      this.views[from + index] = view;
    });
    if (!isComplete) return;
    for (const view of this.views.splice(from + blocks.length)) view.element.remove();
  }

  private append(element: Element): void {
    const last = this.views.at(-1)?.element;
    if (last) this.elements += 1 + last.getElementsByTagName('*').length;
    if (this.elements > manyElements) {
      this.elements = 0;
      this.section = document.createElement('div');
      this.section.className = 'section';
      this.root.append(this.section);
    }
    this.section.append(element);
  }

  /** Highlights all code as it comes into view, once nothing of it can change any more. */
  highlightAll(): void {
    for (const code of this.codes) highlight(code);
  }

  dispose(): void {
    for (const code of this.codes) cancelHighlight(code);
  }

  private get codes(): NodeListOf<HTMLElement> {
    return this.root.querySelectorAll('pre > code');
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
