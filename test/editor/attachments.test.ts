import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AttachmentList } from '../../src/chat/attachments/attachmentList.ts';
import { activeTerminal, watchTerminals } from '../../src/host/commands/terminalWatch.ts';
import { attachPage, type PageDependencies } from '../../src/host/panel/attachPage.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';

describe('attachments: the last command of a terminal, in the editor', function () {
  this.timeout(60_000);
  const opened: vscode.Disposable[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.dispose();
  });
  const open = (shellPath: string) => {
    const terminal = vscode.window.createTerminal({ shellPath, name: 'Tides' });
    opened.push(terminal);
    terminal.show();
    return terminal;
  };

  it('is read with its exit code from a shell that tells where commands begin', async () => {
    opened.push(watchTerminals());
    const terminal = open('/bin/bash');
    await eventually(() => assert.ok(terminal.shellIntegration && vscode.window.activeTerminal === terminal));
    assert.match(activeTerminal().problem ?? '', /^No command has run in Tides since Switchboard started/);
    // The editor hears nothing of a command that ends before it listens.
    terminal.shellIntegration?.executeCommand(
      String.raw`sleep 1; printf '\033[31m%s\033[0m\n' low high; false`,
    );
    await eventually(() => assert.match(activeTerminal().read([]).text, /^Exit code 1\./m));
    assert.equal(activeTerminal().problem, undefined);
    assert.match(activeTerminal().line ?? '', /^sleep 1; printf /);
    assert.match(activeTerminal().read([]).text, /\nlow\nhigh\n/);
  });

  it('is not there where the shell tells nothing, which says what to do', async () => {
    opened.push(watchTerminals());
    const terminal = open('/bin/cat');
    await eventually(() => assert.equal(vscode.window.activeTerminal, terminal));
    assert.match(activeTerminal().problem ?? '', /^Shell integration isn't active in Tides\. Turn on/);
  });
});

describe('attachments: a page, in the editor', () => {
  type Load = Parameters<typeof attachPage>[3];

  function setUp() {
    const deps = { memory: { pageHosts: [] as string[] } } as unknown as PageDependencies;
    const loaded: string[] = [];
    const list = {
      load: async (source: { name: string }, load: (signal: AbortSignal) => Promise<{ text: string }>) => {
        loaded.push(`${source.name}: ${(await load(new AbortController().signal)).text}`);
      },
    } as unknown as AttachmentList;
    /** Redirects to another host, unless that is refused. */
    const load: Load = async (_deps, url, mayLoad) => {
      const same = await mayLoad(url);
      const other = await mayLoad(new URL('https://www.example.com/'));
      return { name: '', text: `${same} ${other}` };
    };
    return { deps, loaded, attach: (address?: string) => attachPage(deps, list, address, load) };
  }

  it('is loaded once its host, and that of a redirect, were agreed to', async () => {
    const { deps, loaded, attach } = setUp();
    const asked = await withPerson({ answers: ['Load', 'Always for This Host'] }, () =>
      attach('https://example.com/a#b'),
    );
    assert.deepEqual(
      asked.map(({ text, buttons }) => [text, buttons]),
      [
        ['Load a page from example.com?', ['Load', 'Always for This Host']],
        ['Load a page from www.example.com?', ['Load', 'Always for This Host']],
      ],
    );
    assert.match(asked[0]?.detail ?? '', /^https:\/\/example\.com\/a\n/);
    assert.deepEqual([loaded, deps.memory.pageHosts], [['example.com/a: true true'], ['www.example.com']]);
    const again = await withPerson({ answers: ['Load'] }, () => attach('https://example.com/a'));
    assert.equal(again.length, 1);
  });

  it('is not loaded where its host is refused, and its redirect neither', async () => {
    const { loaded, attach } = setUp();
    await withPerson({}, () => attach('https://example.com/'));
    assert.deepEqual(loaded, []);
    await withPerson({ answers: ['Load', ''] }, () => attach('https://example.com/'));
    assert.deepEqual(loaded, ['example.com: true false']);
  });

  it('is asked for by its address, which must be of the Internet', async () => {
    const { loaded, attach } = setUp();
    const asked = await withPerson({ types: [' https://example.com/ '], answers: ['Load'] }, () => attach());
    assert.deepEqual(
      asked.slice(0, 2).map(({ text, judged }) => [text, judged]),
      [
        ['Attach Web Page', undefined],
        ['Load a page from example.com?', undefined],
      ],
    );
    assert.equal(loaded.length, 1);
    const [judged] = await withPerson({ types: ['http://example.com/'] }, () => attach());
    assert.equal(judged?.judged, 'Enter an address that begins with https://.');
    const none = await withPerson({ answers: ['Load'] }, () =>
      assert.rejects(attach('https://192.168.0.1/'), /local network/),
    );
    assert.deepEqual([none, loaded.length], [[], 1]);
  });
});
