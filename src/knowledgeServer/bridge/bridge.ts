import { rm } from 'node:fs/promises';
import {
  bridgeName,
  fieldOf,
  type Message,
  noWindow,
  protocolVersions,
  readMessage,
  windowClosed,
} from './bridgeMessages.ts';
import { LineSplitter } from './lineSplitter.ts';
import { knowledgeTools } from './toolDefinitions.ts';
import { WindowConnection } from './windowConnection.ts';
import { findWindows, type FoundWindow } from './windowRecords.ts';

export interface BridgeOptions {
  windows: string;
  configuration: string;
  folder: string;
  send(line: string): void;
}

/** Answers by itself what needs no window, so a program keeps its session while windows come and go. */
export class Bridge {
  private readonly lines = new LineSplitter();
  private connection: WindowConnection | undefined;
  private opening: unknown;
  /** Methods of requests without an answer yet, by id. */
  private readonly pending = new Map<string | number, string>();
  private work = Promise.resolve();
  private listedWithoutWindow = false;
  private hasEnded = false;

  constructor(private readonly options: BridgeOptions) {}

  push(bytes: Buffer): void {
    for (const line of this.lines.push(bytes)) {
      // One after another: a cancellation must not overtake its call.
      if (line?.trim() !== '') this.work = this.work.then(() => this.handle(line));
    }
  }

  idle(): Promise<void> {
    return this.work;
  }

  end(): void {
    this.hasEnded = true;
    this.pending.clear();
    this.connection?.close();
  }

  private async handle(line: string | undefined): Promise<void> {
    const message = line === undefined ? undefined : readMessage(line);
    if (line === undefined || !message) {
      this.options.send(errorLine(null, -32_700, 'Not a message of at most 4 MB on one line.'));
      return;
    }
    const { id, method, params } = message;
    if (method === undefined) return;
    if (id === undefined) {
      if (method === 'notifications/cancelled') this.connection?.write(line);
      return;
    }
    if (method === 'initialize') this.answer(id, this.initialize(params));
    else if (method === 'ping') this.answer(id, {});
    else if (method === 'tools/list' || method === 'tools/call') await this.forward(id, method, line);
    else this.options.send(errorLine(id, -32_601, `${method} is not supported.`));
  }

  private initialize(params: unknown): object {
    const asked = fieldOf(params, 'protocolVersion');
    const protocolVersion = protocolVersions.find((version) => version === asked) ?? protocolVersions[0];
    this.opening = { ...(params as object), protocolVersion };
    // A second introduction starts a new session.
    this.connection?.close();
    this.connection = undefined;
    return {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: bridgeName, title: 'Switchboard Knowledge', version: '1' },
    };
  }

  private async forward(id: string | number, method: string, line: string): Promise<void> {
    if (this.opening === undefined) {
      this.options.send(errorLine(id, -32_600, 'initialize comes first.'));
      return;
    }
    const connection = await this.connect();
    if (!connection) {
      if (method === 'tools/list') this.listedWithoutWindow = true;
      this.answer(id, method === 'tools/list' ? { tools: knowledgeTools } : failedCall(noWindow));
      return;
    }
    this.pending.set(id, method);
    connection.write(line);
    if (method === 'tools/call' && this.listedWithoutWindow) {
      this.listedWithoutWindow = false;
      this.options.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    }
  }

  /** Stays with a window until it closes, or one that holds the program's folder opens. */
  private async connect(): Promise<WindowConnection | undefined> {
    const current = this.connection?.isOpen ? this.connection : undefined;
    if (current && (current.window.holdsFolder || this.pending.size > 0)) return current;
    const { windows, folder } = this.options;
    for (const window of await findWindows(windows, folder)) {
      if (current && (window.file === current.window.file || !window.holdsFolder)) break;
      const opened = await this.open(window);
      if (!opened) continue;
      current?.close();
      this.connection = opened;
      return opened;
    }
    return current?.isOpen ? current : undefined;
  }

  private async open(window: FoundWindow): Promise<WindowConnection | undefined> {
    const { configuration, folder } = this.options;
    const opened: { connection?: WindowConnection } = {};
    try {
      opened.connection = await WindowConnection.open(
        window,
        { hello: { configuration, folder }, params: this.opening },
        {
          onLine: (line) => this.fromWindow(line),
          onClosed: () => {
            if (this.connection === opened.connection) this.closed();
          },
        },
      );
      if (this.hasEnded) opened.connection.close();
      return opened.connection;
    } catch (error) {
      // Another window may answer. The file of one that crashed is removed, so that nobody tries it again.
      if (['ECONNREFUSED', 'ENOENT'].includes(String(fieldOf(error, 'code'))))
        await rm(window.file, { force: true });
      return undefined;
    }
  }

  private fromWindow(line: string): void {
    const message = readMessage(line);
    if (!message) return;
    if (message.id !== undefined && message.method === undefined) this.pending.delete(message.id);
    this.options.send(line);
  }

  private closed(): void {
    this.connection = undefined;
    const unanswered = [...this.pending];
    this.pending.clear();
    for (const [id, method] of unanswered) {
      if (method === 'tools/call') this.answer(id, failedCall(windowClosed));
      else this.options.send(errorLine(id, -32_603, windowClosed));
    }
  }

  private answer(id: NonNullable<Message['id']>, result: object): void {
    this.options.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
}

function failedCall(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}

function errorLine(id: string | number | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
