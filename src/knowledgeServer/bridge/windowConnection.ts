import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { fieldOf, type Hello, readMessage } from './bridgeMessages.ts';
import { LineSplitter } from './lineSplitter.ts';
import { type FoundWindow, privacyProblem } from './windowRecords.ts';

/** In ms; a window that is suspended accepts connections and says nothing. */
const openLimitMs = 3_000;
const openingId = 'switchboard-opening';

export interface Opening {
  hello: Omit<Hello, 'token'>;
  params: unknown;
}

export class WindowConnection {
  private constructor(
    readonly window: FoundWindow,
    private readonly socket: Socket,
  ) {}

  /** @param events of the window after the introduction. Rejects if it doesn't answer. */
  static async open(
    window: FoundWindow,
    { hello, params }: Opening,
    events: { onLine(line: string): void; onClosed(): void },
  ): Promise<WindowConnection> {
    const problem = process.platform === 'win32' ? undefined : await privacyProblem(dirname(window.socket));
    if (problem !== undefined) throw new Error(`The folder of the socket is refused: ${problem}`);
    const socket = createConnection(window.socket);
    const lines = new LineSplitter();
    return new Promise((resolve, reject) => {
      let isOpen = false;
      const limit = setTimeout(() => socket.destroy(new Error('No answer in time.')), openLimitMs);
      const write = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
      socket.on('connect', () => {
        write({ ...hello, token: window.token });
        write({ jsonrpc: '2.0', id: openingId, method: 'initialize', params });
      });
      socket.on('data', (bytes) => {
        for (const line of lines.push(bytes)) {
          if (line === undefined) continue;
          if (isOpen) {
            events.onLine(line);
          } else if (readMessage(line)?.id === openingId) {
            if (fieldOf(JSON.parse(line), 'error') !== undefined) {
              socket.destroy(new Error('Refused.'));
              return;
            }
            isOpen = true;
            clearTimeout(limit);
            write({ jsonrpc: '2.0', method: 'notifications/initialized' });
            resolve(new WindowConnection(window, socket));
          }
        }
      });
      socket.on('error', reject);
      socket.on('close', () => {
        clearTimeout(limit);
        if (isOpen) events.onClosed();
        else reject(new Error('Closed.'));
      });
    });
  }

  get isOpen(): boolean {
    return this.socket.writable;
  }

  write(line: string): void {
    this.socket.write(`${line}\n`);
  }

  close(): void {
    this.socket.destroy();
  }
}
