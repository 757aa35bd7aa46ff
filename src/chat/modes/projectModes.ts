import { Emitter } from '../../base/emitter.ts';
import { builtInMode, builtInModeIds, isBuiltInModeId, missingMode, type Mode, type Modes } from './mode.ts';

export class ProjectModes implements Modes {
  private described: readonly Mode[] = [];
  private hasRead = false;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;

  constructor(
    readonly defaultId: () => string,
    private readonly readDescribed: () => Promise<readonly Mode[]>,
  ) {}

  get isRead(): boolean {
    return this.hasRead;
  }

  get all(): readonly Mode[] {
    return [...builtInModeIds.map(builtInMode), ...this.described];
  }

  async load(id: string): Promise<void> {
    if (!isBuiltInModeId(id)) await this.refresh();
  }

  /** Unreadable modes are removed. */
  async refresh(): Promise<void> {
    this.described = await this.readDescribed().catch(() => []);
    this.hasRead = true;
    this.changes.fire();
  }

  find(id: string): Mode {
    return this.all.find((mode) => mode.id === id) ?? missingMode(id);
  }
}
