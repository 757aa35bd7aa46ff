import type { Block } from './blocks.ts';
import type { BlockChange } from './blockReader.ts';
import { createBlockViews, replaceView, type BlockView } from './blockViews.ts';
import { addCitationButtons, type IsSource } from './citations/citationButtons.ts';
import type { IsOpen } from './code/codeFrame.ts';
import { cancelHighlight, highlight } from './code/highlight.ts';
import { addPlaceButtons, type IsThere } from './places.ts';

/** Elements laid out together. More go into a section of their own, which is skipped while out of view. */
const manyElements = 1000;
/** Sections per chapter: each one takes part in every paint. */
const manySections = 16;

export class MarkdownView {
  private readonly views: BlockView[] = [];
  private isSource: IsSource = () => false;
  private section: Element;
  private chapter: Element | undefined;
  private elements = 0;

  constructor(
    private readonly root: Element,
    private readonly isOpen: IsOpen,
    private readonly isThere: IsThere,
  ) {
    this.section = root;
  }

  cite(isSource: IsSource): void {
    if (this.isSource === isSource) return;
    this.isSource = isSource;
    addCitationButtons(this.root, isSource);
  }

  linkPaths(): string[] {
    return addPlaceButtons(this.root, this.isThere);
  }

  apply({ from, blocks, isComplete }: BlockChange): void {
    const changed = blocks.map((block, index) => !isUpdated(this.views[from + index], block));
    const fresh = createBlockViews(
      blocks.filter((_, index) => changed[index]),
      { isSource: (n) => this.isSource(n), isOpen: this.isOpen, isThere: this.isThere },
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
      const isFull = this.chapter?.childElementCount === manySections;
      if (!this.chapter || isFull) this.chapter = addSection(this.root);
      this.section = addSection(this.chapter);
    }
    this.section.append(element);
  }

  /** Highlights all code as it becomes visible. Call once the text is final. */
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

function addSection(parent: Element): Element {
  const section = document.createElement('div');
  section.className = 'section';
  parent.append(section);
  return section;
}

function isUpdated(view: BlockView | undefined, block: Block): boolean {
  try {
    return view?.update(block) ?? false;
  } catch (error) {
    console.error(error);
    return false;
  }
}
