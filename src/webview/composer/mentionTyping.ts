import { signal, type Signal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MentionOption } from '../../shared/attachments.ts';
import type { ToPage } from '../../shared/protocol.ts';
import { type Panel, usePanel } from '../state/panel.ts';

export interface OpenMention extends MentionQuery {
  readonly options: readonly MentionOption[];
  readonly active: number;
  readonly isStale: boolean;
  readonly isComplete: boolean;
  readonly note?: string | undefined;
}

type MentionAnswer = Extract<ToPage, { type: 'mentionsFound' }>;

export class MentionTyping {
  readonly open: Signal<OpenMention | undefined> = signal(undefined);
  private requestId = 0;
  /** Offset of a sign whose list was closed with Escape. */
  private dismissed: number | undefined;
  private wasLeft = false;
  /** An Enter or Tab that waits for the list: the text then, and what it does if there is no option. */
  private wanted: { text: string; otherwise(): void } | undefined;
  private text = '';

  constructor(
    private readonly post: Panel['post'],
    private readonly accept: (mention: MentionQuery, option: MentionOption) => void,
  ) {}

  typed(text: string, caret: number): void {
    this.text = text;
    // Text typed after Enter follows the option that Enter waits for.
    if (this.wanted && caret === text.length && text.startsWith(this.wanted.text)) return;
    this.search(text, caret);
  }

  private search(text: string, caret: number): void {
    this.wanted = undefined;
    const found = mentionAt(text, caret);
    if (!found || found.start === this.dismissed) {
      if (!found) this.dismissed = undefined;
      this.open.value = undefined;
      return;
    }
    this.dismissed = undefined;
    const before = this.open.peek();
    const { options = [], note } = before?.sign === found.sign ? (before ?? {}) : {};
    this.open.value = { ...found, options, note, active: 0, isStale: true, isComplete: false };
    const { query, sign } = found;
    this.post({
      type: sign === '/' ? 'findPrompts' : 'findMentions',
      requestId: ++this.requestId,
      query: sign === '#' ? sign + query : query,
    });
  }

  found({ requestId, options, isComplete, note }: MentionAnswer): void {
    const open = this.open.peek();
    if (!open || requestId !== this.requestId) return;
    const active = open.isStale ? 0 : open.active;
    this.open.value = { ...open, options, active, isStale: false, isComplete, note };
    if (!this.wanted || (options.length === 0 && !isComplete)) return;
    const { text, otherwise } = this.wanted;
    this.wanted = undefined;
    if (options[0]) this.choose(options[0]);
    // Nothing is sent that was typed after Enter.
    else if (text === this.text) otherwise();
    else this.search(this.text, this.text.length);
  }

  choose(option: MentionOption): void {
    const open = this.open.peek();
    if (!open) return;
    this.close();
    if (open.sign !== '/') this.post({ type: 'attachMention', optionId: option.id });
    this.accept(open, option);
  }

  close(): void {
    this.open.value = undefined;
    this.wanted = undefined;
  }

  /** The focus may return at once: the editor moves it whenever it reveals the panel. */
  leave(): void {
    this.wasLeft = this.open.peek() !== undefined;
    this.close();
  }

  comeBack(text: string, caret: number): void {
    if (this.wasLeft) this.typed(text, caret);
    this.wasLeft = false;
  }

  /** Returns true if the key was handled. `send` runs for Enter if there turns out to be no option. */
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
        else this.wanted = { text: this.text, otherwise: event.key === 'Enter' ? send : () => undefined };
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

export const mentionListId = 'mentions';
export const mentionNoteId = 'mention-note';

export function mentionOptionId(option: MentionOption): string {
  return `mention-${option.id}`;
}

export function useMentions(
  field: { current: HTMLTextAreaElement | null },
  onDraft: (text: string) => void,
): { typing: MentionTyping; onCaret(): void; onFocus(): void } {
  const { state, box, post } = usePanel();
  const caret = useRef<number>(undefined);
  const draft = box.draft.value;
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [draft]);

  const take = useRef(onDraft);
  take.current = onDraft;
  const typing = useMemo(
    () =>
      new MentionTyping(post, (mention, option) => {
        const chosen = withMention(box.draft.peek(), mention, option.label);
        const typedSince = (field.current?.selectionStart ?? 0) - mention.start - 1 - mention.query.length;
        caret.current = Math.min(chosen.text.length, chosen.caret + Math.max(0, typedSince));
        take.current(chosen.text);
      }),
    [],
  );
  useSignalEffect(() => {
    const answer = state.mentionAnswer.value;
    if (answer) typing.found(answer);
  });
  return {
    typing,
    onCaret() {
      const element = field.current;
      if (element) typing.typed(element.value, element.selectionStart);
    },
    onFocus() {
      const element = field.current;
      if (element) typing.comeBack(element.value, element.selectionStart);
    },
  };
}

/** A mention being typed: the offset of its sign, and the text from there to the caret. */
interface MentionQuery {
  readonly start: number;
  readonly sign: '@' | '#' | '/';
  readonly query: string;
}

/**
 * A mention at the caret. After a Latin letter, a digit or a character of e-mail addresses a sign is of an address;
 * after others, such as Chinese, it starts one. Symbols need a letter: # alone is a heading, and with a digit an issue.
 */
const mention =
  /(?:^|[^\p{Script=Latin}\p{N}_.%+-])(?:[@＠](?<query>\S{0,200})|(?<!\/)[#＃](?<symbol>[\p{L}_$]\S{0,200}))$/u;

const prompt = /^\/(\S{0,200})$/;

export function mentionAt(text: string, caret: number): MentionQuery | undefined {
  const name = prompt.exec(text.slice(0, caret))?.[1];
  if (name !== undefined) return { start: 0, sign: '/', query: name };
  const groups = mention.exec(text.slice(Math.max(0, caret - 250), caret))?.groups;
  const { symbol, query = symbol } = groups ?? {};
  if (query === undefined) return undefined;
  return { start: caret - query.length - 1, sign: symbol ? '#' : '@', query };
}

export function withMention(
  text: string,
  { start, sign, query }: MentionQuery,
  name: string,
): { text: string; caret: number } {
  const before = `${text.slice(0, start)}${sign}${name}`;
  const after = text.slice(start + 1 + query.length);
  const gap = /^\s/.test(after) ? '' : ' ';
  return { text: before + gap + after, caret: before.length + 1 };
}
