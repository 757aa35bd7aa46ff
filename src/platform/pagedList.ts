import { SwitchboardError } from '../base/errors.ts';
import { toSwitchboardError } from '../base/toSwitchboardError.ts';
import type { Page } from './records.ts';

/** What was loaded so far of a list that a server gives in pages. */
export class PagedList<T> {
  readonly items: T[] = [];
  hasMore = true;
  total: number | undefined;
  error: SwitchboardError | undefined;
  private page = 0;
  private loading: Promise<void> | undefined;

  /** @param load gives a page, counted from 1 */
  constructor(private readonly load: (page: number) => Promise<Page<T>>) {}

  /** Loads the first page unless that was done, or tried. Never throws: see `error`. */
  async ensure(): Promise<void> {
    if (this.page === 0 && !this.error) await this.loadNext();
    else await this.loading;
  }

  /** Loads one page more; callers meanwhile wait for the same request. Never throws. */
  loadNext(): Promise<void> {
    this.loading ??= this.loadPage().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  private async loadPage(): Promise<void> {
    try {
      const { items, hasMore, total } = await this.load(this.page + 1);
      this.page++;
      this.items.push(...items);
      // A page that should hold something and is empty is the last one.
      this.hasMore = hasMore && items.length > 0;
      this.total = total;
      this.error = undefined;
    } catch (error) {
      this.error = toSwitchboardError(error);
    }
  }
}
