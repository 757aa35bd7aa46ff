import { signal, type Signal } from '@preact/signals';
import type { MentionOption } from '../shared/attachments.ts';
import { mentionAt, type MentionQuery } from './mentionQuery.ts';
import type { Panel } from './panel.ts';

/** The list while a mention is typed. */
export interface OpenMention extends MentionQuery {
  readonly options: readonly MentionOption[];
  readonly active: number;
  /** The options are those of the query before, until the host has answered. */
  readonly isStale: boolean;
  readonly isComplete: boolean;
  /** Why not all files are among the options. */
  readonly note?: string | undefined;
}

/** What the host found for a request. */
export interface MentionAnswer {
  requestId: number;
  options: readonly MentionOption[];
  isComplete: boolean;
  note?: string | undefined;
}

/** Follows a mention from its @ to the choice, or until it turns out to be none. */
export class MentionTyping {
  readonly open: Signal<OpenMention | undefined> = signal(undefined);
  private requestId = 0;
  /** Where an @ stands whose list was closed by hand. */
  private dismissed: number | undefined;
  /** The list was open when the box lost the focus. */
  private wasLeft = false;
  /** Enter was pressed before there was anything to choose from. */
  private wanted: (() => void) | undefined;

  constructor(
    private readonly post: Panel['post'],
    /** Puts the choice into the message. */
    private readonly accept: (mention: MentionQuery, option: MentionOption) => void,
  ) {}

  typed(text: string, caret: number): void {
    const found = mentionAt(text, caret);
    if (!found || found.start === this.dismissed) {
      if (!found) this.dismissed = undefined;
      this.open.value = undefined;
      return;
    }
    this.dismissed = undefined;
    this.wanted = undefined;
    const before = this.open.peek();
    const { options = [], note } = before?.isPrompt === found.isPrompt ? (before ?? {}) : {};
    this.open.value = { ...found, options, note, active: 0, isStale: true, isComplete: false };
    const { query, isPrompt } = found;
    this.post({ type: isPrompt ? 'findPrompts' : 'findMentions', requestId: ++this.requestId, query });
  }

  found({ requestId, options, isComplete, note }: MentionAnswer): void {
    const open = this.open.peek();
    if (!open || requestId !== this.requestId) return;
    const active = open.isStale ? 0 : open.active;
    this.open.value = { ...open, options, active, isStale: false, isComplete, note };
    if (!this.wanted || (options.length === 0 && !isComplete)) return;
    const otherwise = this.wanted;
    this.wanted = undefined;
    if (options[0]) this.choose(options[0]);
    else otherwise();
  }

  choose(option: MentionOption): void {
    const open = this.open.peek();
    if (!open) return;
    this.close();
    if (!open.isPrompt) this.post({ type: 'attachMention', optionId: option.id });
    this.accept(open, option);
  }

  close(): void {
    this.open.value = undefined;
    this.wanted = undefined;
  }

  /** The box lost the focus, maybe for a moment only: the editor gives it to the panel again when it shows it. */
  leave(): void {
    this.wasLeft = this.open.peek() !== undefined;
    this.close();
  }

  /** The box has the focus again. */
  comeBack(text: string, caret: number): void {
    if (this.wasLeft) this.typed(text, caret);
    this.wasLeft = false;
  }

  /** @returns whether the key was for the list; `send` is what Enter does if there turns out to be none */
  onKey(event: KeyboardEvent, send: () => void): boolean {
    const open = this.open.peek();
    if (
      !open ||
      event.isComposing ||
      event.keyCode === 229 ||
      event.shiftKey ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    ) {
      return false;
    }
    const { options, active, isStale, isComplete, start } = open;
    switch (event.key) {
      case 'Escape':
        this.dismissed = start;
        this.close();
        return options.length > 0;
      case 'ArrowDown':
      case 'ArrowUp':
        if (options.length === 0) return false;
        this.move(active + (event.key === 'ArrowDown' ? 1 : -1));
        return true;
      case 'Enter':
      case 'Tab': {
        const option = options[active];
        if (option && !isStale) this.choose(option);
        else if (isComplete || (event.key === 'Tab' && options.length === 0)) return false;
        // The answer is on its way, and the user types faster than that.
        else this.wanted = event.key === 'Enter' ? send : () => undefined;
        return true;
      }
      default:
        return false;
    }
  }

  private move(to: number): void {
    const open = this.open.peek();
    if (!open) return;
    const count = open.options.length;
    this.open.value = { ...open, active: (to + count) % count };
  }
}
