import type { BrowserContext } from 'playwright-core';

/**
 * Gives VS Code the messages of its socket as bytes. By default, each becomes a blob, which the browser registers and
 * VS Code asks back for its bytes: a tenth of a window's processor time.
 */
export async function takeSocketMessages(user: BrowserContext): Promise<void> {
  await user.addInitScript(takeAsBytes);
}

/** Runs in a page. */
function takeAsBytes(): void {
  globalThis.WebSocket = class extends WebSocket {
    constructor(...address: ConstructorParameters<typeof WebSocket>) {
      super(...address);
      this.binaryType = 'arraybuffer';
    }
  };
  const { readAsArrayBuffer } = FileReader.prototype;
  FileReader.prototype.readAsArrayBuffer = function (content: Blob | ArrayBuffer) {
    if (content instanceof Blob) {
      Reflect.deleteProperty(this, 'result');
      readAsArrayBuffer.call(this, content);
      return;
    }
    Object.defineProperty(this, 'result', { value: content, configurable: true });
    queueMicrotask(() => this.dispatchEvent(new ProgressEvent('load')));
  };
}
