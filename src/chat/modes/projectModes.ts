import { Emitter } from '../../base/emitter.ts';
import { builtInMode, builtInModeIds, isBuiltInModeId, missingMode, type Mode, type Modes } from './mode.ts';

/** The built-in modes, and those that the project describes, as they were read last. */
export class ProjectModes implements Modes {
  private described: readonly Mode[] = [];
  private hasRead = false;
  private readonly changes = new Emitter<void>();
  /** What the project describes was read. */
  readonly onDidChange = this.changes.event;

  constructor(
    readonly defaultId: () => string,
    /** Reads what the project describes; rejects when that failed. */
    private readonly readDescribed: () => Promise<readonly Mode[]>,
  ) {}

  /** Whether it is known what the project describes. */
  get isRead(): boolean {
    return this.hasRead;
  }

  get all(): readonly Mode[] {
    return [...builtInModeIds.map(builtInMode), ...this.described];
  }

  async load(id: string): Promise<void> {
    if (!isBuiltInModeId(id)) await this.refresh();
  }

  /** What cannot be read any more is not described any more. */
  async refresh(): Promise<void> {
    this.described = await this.readDescribed().catch(() => []);
    this.hasRead = true;
    this.changes.fire();
  }

  find(id: string): Mode {
    return this.all.find((mode) => mode.id === id) ?? missingMode(id);
  }
}
