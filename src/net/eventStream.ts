import { StringDecoder } from 'node:string_decoder';
import * as l10n from '@vscode/l10n';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatSize } from '../base/text/formatSize.ts';

export type ServerEvent = EventSourceMessage;

/** Far above any real event, such as a whole answer; far below what hurts the editor. */
const maxEventCharacters = 32 * 1024 * 1024;

const maxUnreadCharacters = 4 * 1024 * 1024;

/** Linear even for one huge line. Accepts bare JSON lines (new-api's Anthropic failures) and no final blank line. */
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
    // At the limit the parser reports once and throws from then on. Other reports are unknown fields.
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.tooLong = true;
    },
  });

  /** The body so far if it had no event, so that it isn't what its content type claims. */
  get unread(): string {
    return this.unreadText.join('');
  }

  /** Throws `truncated` for an event over the limit. */
  decode(bytes: Uint8Array): ServerEvent[] {
    return this.feed(this.utf8.write(bytes));
  }

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

  /** Makes bare JSON lines events. A lone brace waits for the next character: pretty-printed JSON is not one line. */
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

function eventTooLong(): SwitchboardError {
  return new SwitchboardError(
    'truncated',
    l10n.t(
      'The answer was cut off: the server sent a single event larger than {0}.',
      formatSize(maxEventCharacters),
    ),
  );
}
