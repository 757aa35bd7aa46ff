import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { formatSize } from '../../base/text/formatSize.ts';
import { inline } from '../../base/text/oneLine.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import type { CommandView, EndedCommand, RunningCommand } from '../../tools/command/commands.ts';
import { EscapeFilter } from '../../tools/command/escapeFilter.ts';
import { alignToCharacter } from '../../tools/files/truncate.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Escape sequences that move, erase and colour. Others could set titles, links or the clipboard. */
const keptSequences = 'ABCDGJKm';
const pauseMs = 40;
const mostAtOnce = 100_000;
const longestName = 20;

export class CommandTerminals implements Disposable {
  private terminals: CommandTerminal[] = [];

  open(command: RunningCommand): CommandView {
    let terminal = this.terminals.find(({ isIdle }) => isIdle);
    if (!terminal) {
      const created = new CommandTerminal(() => {
        this.terminals = this.terminals.filter((each) => each !== created);
      });
      this.terminals.push(created);
      terminal = created;
    }
    return terminal.begin(command);
  }

  dispose(): void {
    for (const terminal of this.terminals) terminal.dispose();
  }
}

class CommandTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.written.event;
  private readonly named = new vscode.EventEmitter<string>();
  readonly onDidChangeName = this.named.event;
  private readonly terminal: vscode.Terminal;
  private isOpen = false;
  private isClosed = false;
  /** Pending output, and how much before it was dropped. */
  private waiting = '';
  private skipped = 0;
  private timer: NodeJS.Timeout | undefined;
  private running: RunningCommand | undefined;
  private typed = '';
  private hasHint = false;

  constructor(private readonly onClose: () => void) {
    this.terminal = vscode.window.createTerminal({
      name: 'Switchboard',
      iconPath: new vscode.ThemeIcon('comment-discussion'),
      isTransient: true,
      pty: this,
    });
  }

  get isIdle(): boolean {
    return !this.running;
  }

  begin(command: RunningCommand): CommandView {
    this.running = command;
    this.typed = '';
    this.hasHint = false;
    this.named.fire(inline(command.line, longestName));
    const filter = new EscapeFilter(keptSequences);
    this.write(
      `\x1b[2m${visibleText(command.folder)}\x1b[22m\n\x1b[1m> ${visibleText(command.line)}\x1b[22m\n`,
    );
    // Others are shown when the user asks for it: the panel shows their newest lines.
    if (command.hasInput) this.terminal.show(true);
    return {
      show: (text) => this.write(filter.push(text)),
      end: (code) => {
        this.running = undefined;
        const end = code === undefined ? l10n.t('Stopped') : l10n.t('Exit code {0}', code);
        this.write(`\x1b[0m\n\x1b[2m${end}\x1b[22m\n\n`);
      },
      reveal: () => {
        if (!this.isClosed) this.terminal.show();
        return !this.isClosed;
      },
    };
  }

  open(): void {
    this.isOpen = true;
    this.named.fire(inline(this.running?.line ?? 'Switchboard', longestName));
    this.flush();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.running?.stop();
    this.onClose();
  }

  handleInput(data: string): void {
    const { running } = this;
    if (!running) return;
    if (data === '\x03') return running.stop();
    if (data.startsWith('\x1b')) return;
    if (!running.hasInput) {
      if (!this.hasHint)
        this.write(`\x1b[2m${l10n.t("This command doesn't take input. Press Ctrl+C to stop it.")}\x1b[22m\n`);
      this.hasHint = true;
      return;
    }
    for (const character of data) this.type(character, running);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.terminal.dispose();
  }

  /** Replaces the missing line discipline: echoes characters and sends whole lines. */
  private type(character: string, running: RunningCommand): void {
    switch (character) {
      case '\r':
      case '\n':
        running.write(`${this.typed}\n`);
        this.typed = '';
        return this.write('\n');
      case '\x7f':
        if (this.typed !== '') this.write('\b \b');
        this.typed = this.typed.slice(0, alignToCharacter(this.typed, this.typed.length - 1));
        return;
      case '\x03':
        return running.stop();
      case '\x04':
        if (this.typed === '') running.endInput();
        return;
      default:
        if (character < ' ') return;
        this.typed += character;
        this.write(character);
    }
  }

  private write(text: string): void {
    this.waiting += text.replace(/\r?\n/g, '\r\n');
    if (this.waiting.length > mostAtOnce * 2) {
      this.skipped += this.waiting.length - mostAtOnce;
      this.waiting = this.waiting.slice(-mostAtOnce);
    }
    if (this.isOpen && !this.isClosed) this.timer ??= setTimeout(() => this.flush(), pauseMs);
  }

  private flush(): void {
    this.timer = undefined;
    if (this.isClosed || this.waiting === '') return;
    const note =
      this.skipped > 0
        ? `\r\n\x1b[2m${l10n.t('[{0} of output not shown]', formatSize(this.skipped))}\x1b[22m\r\n`
        : '';
    this.written.fire(note + this.waiting);
    this.waiting = '';
    this.skipped = 0;
  }
}

export async function reportCommand(
  notifications: Notifications,
  { line, code, reveal }: EndedCommand,
): Promise<void> {
  const command = inline(line).replaceAll('](', '] (');
  const text =
    code === undefined
      ? l10n.t('Stopped: {0}', command)
      : l10n.t('Ended with exit code {0}: {1}', code, command);
  const show = l10n.t('Show');
  if ((await notifications.information(text, show)) === show) reveal();
}
