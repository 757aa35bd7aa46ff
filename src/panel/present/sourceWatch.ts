import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ChatController } from '../../chat/chatController.ts';
import type { Source } from '../../chat/store/events.ts';
import type { SourceState, SourceStates } from '../../shared/knowledge.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import { listedSources } from './presentSources.ts';

export interface SourceWatchHost {
  /** In the order of the sources; undefined where nothing is known. */
  checkSources(sources: readonly Source[]): Promise<readonly (SourceState | undefined)[]>;
  /** Reports absolute paths of files that changed, on the disk or in an editor. */
  watchFiles(onChange: (path: string) => void): Disposable;
  clock: Pick<Clock, 'after'>;
}

/** A save, a checkout or typing comes as several events. In ms. */
const settledMs = 250;

export class SourceWatch implements Disposable {
  private shown = new Set<string>();
  private readonly posted = new Map<string, string>();
  private names = new Set<string>();
  private watching: Disposable | undefined;
  private timer: Disposable | undefined;

  constructor(
    private readonly chat: ChatController,
    private readonly host: SourceWatchHost,
    private readonly post: PostToPage,
  ) {}

  async show(ids: readonly string[]): Promise<void> {
    const before = this.shown;
    this.shown = new Set(ids);
    for (const id of this.posted.keys()) if (!this.shown.has(id)) this.posted.delete(id);
    if (this.shown.size === 0) return this.stop();
    this.watching ??= this.host.watchFiles((path) => this.onFileChange(path));
    await this.check(ids.filter((id) => !before.has(id)));
  }

  dispose(): void {
    this.shown.clear();
    this.posted.clear();
    this.stop();
  }

  private stop(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.names.clear();
    this.watching?.dispose();
    this.watching = undefined;
  }

  private onFileChange(path: string): void {
    if (this.timer || !this.names.has(nameOf(path))) return;
    this.timer = this.host.clock.after(settledMs, () => {
      this.timer = undefined;
      void this.check([...this.shown]);
    });
  }

  private async check(ids: readonly string[]): Promise<void> {
    const answers = ids.map((id) => ({ id, sources: this.sourcesOf(id) }));
    const all = answers.flatMap(({ sources }) => sources);
    if (all.length === 0) return;
    for (const { origin } of all) for (const name of origin?.path.split('/') ?? []) this.names.add(name);
    const states = await this.host.checkSources(all);
    let at = 0;
    for (const { id, sources } of answers) {
      this.postStates(
        id,
        sources.flatMap(({ n }) => {
          const state = states[at++];
          return state ? [{ n, state }] : [];
        }),
      );
    }
  }

  private postStates(id: string, states: SourceStates): void {
    const text = JSON.stringify(states);
    if (!this.shown.has(id) || (this.posted.get(id) ?? '[]') === text) return;
    this.posted.set(id, text);
    this.post({ type: 'sourcesChecked', id, states });
  }

  private sourcesOf(id: string): Source[] {
    const { conversation } = this.chat.shown;
    const item = conversation.all.findLast((each) => each.id === id);
    return item?.type === 'answer' ? listedSources(conversation.sourcesOf(id), item.text) : [];
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
