// Another window as a process: performs one task on shared files, on demand.
import { appendFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileChatStore } from '../../src/chat/store/fileChatStore.ts';
import { takeLock } from '../../src/chat/session/turnLock.ts';
import { FileManifestStorage } from '../../src/knowledge/manifest/manifestStorage.ts';
import { FolderLinks } from '../../src/knowledge/files/folderLinks.ts';
import { silentLog } from './silentLog.ts';
import { Manifest } from '../../src/knowledge/manifest/manifest.ts';

const [task = '', folder = '', window = ''] = process.argv.slice(2);

const tasks: Record<string, () => Promise<void>> = {
  async links() {
    const links = new FolderLinks(new FileManifestStorage(folder), 'https://platform.example');
    for (let number = 0; number < 100; number++) {
      const name = `${window}${number}`;
      const link = { folder: name, path: `/${name}`, datasetId: 'd', datasetName: 'Docs' };
      await links.add(link);
      if (number % 2) await links.remove(link);
    }
  },
  /** Records a hundred documents among meaningless lines, rewriting the file again and again. */
  async manifest() {
    const manifest = new Manifest(new FileManifestStorage(folder), 'manifest.jsonl', silentLog);
    for (let number = 0; number < 100; number++) {
      const name = `${window}${number}`;
      await manifest.append({
        ...{ type: 'sent', at: 1, name, path: name, hash: 'h', size: 1, documentId: name },
      });
      for (let dead = 0; dead < 15; dead++) await manifest.append({ type: 'refused', at: 1, name });
      await manifest.compact();
    }
  },
  rewrite: () => new FileManifestStorage(folder).rewrite('a.jsonl', () => 'x'.repeat(1_000_000)),
  say: () => say((number) => number < 1, 1_000_000),
  /** Writes two events too large for a single write call, or else many small ones until they are there. */
  chat: () =>
    window === 'a'
      ? say((number) => number < 2, 40_000_000)
      : say(
          () => (statSync(join(folder, 'chat.jsonl'), { throwIfNoEntry: false })?.size ?? 0) < 80_000_000,
          10,
        ),
  /** Takes all free locks of a folder, and holds them until the other window has tried, too. */
  async locks() {
    const path = (name: string) => join(folder, name);
    for (const name of readdirSync(folder)
      .filter((each) => each.endsWith('.turn'))
      .toSorted())
      if (takeLock(path(name))) appendFileSync(path(`${name}.takers`), window);
    writeFileSync(path(`${window}.done`), '');
    while (!['a', 'b'].every((each) => existsSync(path(`${each}.done`)))) await new Promise(setImmediate);
  },
  async turn() {
    const store = new FileChatStore(folder, () => {}, silentLog);
    store.append('chat', { type: 'userMessageAdded', id: 'u', text: 'Hello' });
    store.append('chat', { type: 'answerStarted', id: 'a', model: 'm' });
    if (!store.beginTurn('chat')) throw new Error('A turn runs already.');
    await store.flush();
    process.send?.('running');
    await new Promise(() => setInterval(() => {}, 1000));
  },
};

async function say(isInBackground: (number: number) => boolean, length: number): Promise<void> {
  const fail = (error: unknown) => {
    throw error;
  };
  const store = new FileChatStore(folder, fail, silentLog);
  for (let number = 0; isInBackground(number); number++) {
    const id = `${window}${number}`;
    store.append('chat', { type: 'userMessageAdded', id, text: window.repeat(length) });
    await store.flush();
  }
}

process.once('message', () => {
  void tasks[task]?.().then(() => process.disconnect());
});
process.send?.('ready');
