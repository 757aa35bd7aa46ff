import type { Disposable } from '../base/disposable.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { PostToPage, Starter, ToHost } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { changesPath } from './messages/branchTarget.ts';

type CommandStarter = Extract<ToHost, { type: 'useStarter' }>['starter'];

export interface StarterHost {
  /** Calls the listener once the starters are known and after each change, until disposed. */
  watchStarters(listener: (starters: readonly Starter[]) => void): Disposable;
  useStarter(starter: CommandStarter): void;
}

/** Offers of an empty conversation. Nothing is looked up or watched for any other. */
export class StarterController implements Disposable {
  private known: readonly Starter[] = [];
  private watching: Disposable | undefined;

  constructor(
    private readonly chat: ChatController,
    private readonly host: StarterHost,
    private readonly post: PostToPage,
  ) {}

  readonly commands = {
    // A stale page may still offer one.
    useStarter: ({ starter }) => {
      if (this.known.includes(starter)) this.host.useStarter(starter);
    },
  } satisfies Partial<CommandHandlers<ToHost>>;

  state(): { starters?: Starter[] } {
    return this.known.length > 0 ? { starters: [...this.known] } : {};
  }

  begin(): void {
    if (this.isEmpty) this.watching ??= this.host.watchStarters((starters) => this.show(starters));
    else this.end();
  }

  onChange({ type }: ChatChange): void {
    if (!this.isEmpty) this.end();
    else if (changesPath.has(type)) this.begin();
  }

  end(): void {
    this.watching?.dispose();
    this.watching = undefined;
    this.known = [];
  }

  dispose(): void {
    this.end();
  }

  private get isEmpty(): boolean {
    return this.chat.shown.conversation.all.length === 0;
  }

  private show(starters: readonly Starter[]): void {
    if (!this.watching || starters.join() === this.known.join()) return;
    this.known = starters;
    this.post({ type: 'startersChanged', starters: [...starters] });
  }
}
