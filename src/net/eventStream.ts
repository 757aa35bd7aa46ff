import { StringDecoder } from 'node:string_decoder';
import * as l10n from '@vscode/l10n';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { SwitchboardError } from '../base/errors.ts';
import { formatSize } from '../base/format.ts';

/** One event of a stream: its data lines joined, and its name if it has one. */
export type ServerEvent = EventSourceMessage;

/** Far above any real event (a whole answer in one piece), far below what would hurt the editor. */
const maxEventCharacters = 32 * 1024 * 1024;

/** How much of a body that is no event stream is kept to find out what it is instead. */
const maxUnreadCharacters = 4 * 1024 * 1024;

/**
 * Bytes to events, in any slicing: UTF-8 may be split, lines end in LF or CRLF, comments are dropped. Linear also
 * on one huge line in small pieces. Beyond the standard it reads what relays do:
 * - a bare JSON line without `data:` (new-api reports failures of Anthropic channels so) counts as an event;
 * - a last event without its blank line counts when the stream ends.
 */
export class EventStreamDecoder {
  private readonly utf8 = new StringDecoder('utf8');
  private events: ServerEvent[] = [];
  private tooLong = false;
  private afterLineEnd = true;
  private held = '';
  private seen = false;
  private unreadText: string[] = [];
  private unreadLength = 0;

  private readonly parser = createParser({
    maxBufferSize: maxEventCharacters,
    onEvent: (event) => this.events.push(event),
    // At the limit the parser reports once and throws from then on. Other reports are unknown fields: ignored.
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.tooLong = true;
    },
  });

  /** The body so far if no event was in it: an answer that is not what it claims to be. */
  get unread(): string {
    return this.seen ? '' : this.unreadText.join('');
  }

  /** The events completed by these bytes. Throws `truncated` when one event grows beyond all measure. */
  decode(bytes: Uint8Array): ServerEvent[] {
    return this.feed(this.utf8.write(bytes));
  }

  /** The events that only the end of the body completes. */
  end(): ServerEvent[] {
    return this.feed(`${this.utf8.end()}\n\n`);
  }

  private feed(text: string): ServerEvent[] {
    if (!text) return [];
    if (!this.seen) this.keepUnread(text);
    this.parser.feed(this.markBareJson(text));
    if (this.tooLong) throw eventTooLong();
    const { events } = this;
    if (events.length > 0) {
      this.events = [];
      this.seen = true;
      this.unreadText = [];
    }
    return events;
  }

  /**
   * Puts `data:` before a line that begins with `{"`, and a blank line before that, so it stands alone. A brace
   * alone at the start of a line is held until its neighbour is known: pretty-printed JSON is not one line.
   */
  private markBareJson(incoming: string): string {
    const text = this.held + incoming;
    this.held = text === '{' && this.afterLineEnd ? text : text.endsWith('\n{') ? '{' : '';
    const whole = this.held ? text.slice(0, -1) : text;
    if (!whole) return '';
    const marked = this.afterLineEnd && whole.startsWith('{"') ? `\ndata:${whole}` : whole;
    this.afterLineEnd = whole.endsWith('\n');
    return marked.includes('\n{"') ? marked.replaceAll('\n{"', '\n\ndata:{"') : marked;
  }

  private keepUnread(text: string): void {
    if (this.unreadLength > maxUnreadCharacters) return;
    this.unreadText.push(text);
    this.unreadLength += text.length;
  }
}

/** The events of a body, in one batch per network read; reads without a whole event give no batch. */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  decoder = new EventStreamDecoder(),
): AsyncGenerator<ServerEvent[], void> {
  for await (const bytes of body) {
    const events = decoder.decode(bytes);
    if (events.length > 0) yield events;
  }
  const events = decoder.end();
  if (events.length > 0) yield events;
}

function eventTooLong(): SwitchboardError {
  return new SwitchboardError(
    'truncated',
    l10n.t(
      'The answer was cut off: the server sent a single event larger than {0}.',
      formatSize(maxEventCharacters),
    ),
  );
}
