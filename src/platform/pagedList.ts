import { SwitchboardError } from '../base/errors/errors.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import type { Page } from './records.ts';

export class PagedList<T> {
  readonly items: T[] = [];
  hasMore = true;
  total: number | undefined;
  error: SwitchboardError | undefined;
  private page = 0;
  private readonly known = new Set<string>();
  private loading: Promise<void> | undefined;

  /** @param load returns a page, counted from 1 */
  constructor(
    private readonly load: (page: number) => Promise<Page<T>>,
    private readonly idOf: (item: T) => string,
  ) {}

  /** Loads the first page unless that was tried. Never throws: see `error`. */
  async ensure(): Promise<void> {
    if (this.page === 0 && !this.error) await this.loadNext();
    else await this.loading;
  }

  /** Loads the next page; concurrent callers share the request. Never throws. */
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
      const fresh = items.filter((item) => {
        const known = this.known.size;
        return this.known.add(this.idOf(item)).size > known;
      });
      this.items.push(...fresh);
      // Some servers answer every page with the first.
      this.hasMore = hasMore && fresh.length > 0;
      this.total = total;
      this.error = undefined;
    } catch (error) {
      this.error = toSwitchboardError(error);
    }
  }
}
