import { useState } from 'preact/hooks';
import * as z from 'zod/mini';
import { usePanel } from './panel.ts';

/** An entry, and how far its beginning is below the upper edge of the view. */
const positionSchema = z.object({ id: z.string(), offset: z.number() });
export type ScrollPosition = z.infer<typeof positionSchema>;

/** A stretch of an entry's text, in characters. */
const selectionSchema = z.object({ id: z.string(), start: z.number(), end: z.number() });
export type TextSelection = z.infer<typeof selectionSchema>;

/** Why a call is to be denied, as far as it is typed. */
const denialSchema = z.object({ id: z.string(), reason: z.string() });
export type Denial = z.infer<typeof denialSchema>;

const chatViewSchema = z.object({
  chatId: z.string(),
  /** What is unfolded. */
  open: z.array(z.string()),
  /** Absent at the end of the conversation, which is followed. */
  position: z.optional(positionSchema),
  selection: z.optional(selectionSchema),
  denial: z.optional(denialSchema),
});
type ChatView = z.infer<typeof chatViewSchema>;

const savedSchema = z.object({ chats: z.array(chatViewSchema) });

const mostChats = 30;
const mostOpen = 200;

/** Where the editor keeps what a page wants to have back when it is shown again. */
export interface PageStore {
  getState(): unknown;
  setState(state: unknown): void;
}

/**
 * How the user left each conversation: what is unfolded, scrolled to and selected. The page is thrown away when it is
 * hidden, and its store is not.
 */
export class ViewState {
  /** The newest last. */
  private chats: ChatView[];
  private current: ChatView | undefined;

  constructor(private readonly store: PageStore) {
    const kept = savedSchema.safeParse(store.getState());
    this.chats = kept.success ? kept.data.chats : [];
  }

  /** The conversation that was in view last, and where. */
  get last(): ChatView | undefined {
    return this.chats.at(-1);
  }

  /** From now on it is about this conversation. */
  enter(chatId: string): void {
    this.current = this.chats.find((chat) => chat.chatId === chatId) ?? { chatId, open: [] };
    this.chats = [...this.chats.filter((chat) => chat.chatId !== chatId), this.current].slice(-mostChats);
    this.save();
  }

  isOpen(key: string): boolean | undefined {
    if (this.current?.open.includes(key)) return true;
    return this.current?.open.includes(`!${key}`) ? false : undefined;
  }

  setOpen(key: string, open: boolean): void {
    if (!this.current || this.isOpen(key) === open) return;
    const others = this.current.open.filter((known) => known !== key && known !== `!${key}`);
    this.current.open = [...others, open ? key : `!${key}`].slice(-mostOpen);
    this.save();
  }

  get position(): ScrollPosition | undefined {
    return this.current?.position;
  }

  set position(position: ScrollPosition | undefined) {
    this.keep({ position });
  }

  get selection(): TextSelection | undefined {
    return this.current?.selection;
  }

  set selection(selection: TextSelection | undefined) {
    if (selection ?? this.current?.selection) this.keep({ selection });
  }

  get denial(): Denial | undefined {
    return this.current?.denial;
  }

  set denial(denial: Denial | undefined) {
    this.keep({ denial });
  }

  private keep(changed: Partial<ChatView>): void {
    if (!this.current) return;
    Object.assign(this.current, changed);
    this.save();
  }

  private save(): void {
    this.store.setState({ chats: this.chats });
  }
}

/** Whether something is unfolded, as the user left it. The key is of the conversation's own. */
export function useUnfolded(key: string, initially = false): [open: boolean, set: (open: boolean) => void] {
  const { views } = usePanel();
  const [open, setOpen] = useState(() => views.isOpen(key) ?? initially);
  return [
    open,
    (now) => {
      setOpen(now);
      if (now !== open) views.setOpen(key, now);
    },
  ];
}
