import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { watchStarters } from '../../src/host/panel/watchStarters.ts';
import type { Starter } from '../../src/shared/protocol.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { gitIn } from '../support/git.ts';

type Dependencies = Parameters<typeof watchStarters>[0];

describe('what an empty conversation offers', function () {
  this.timeout(60_000);
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'scratch', 'starters');
  const file = vscode.Uri.joinPath(folder, 'tide.txt');
  const write = (text: string) => vscode.workspace.fs.writeFile(file, Buffer.from(text));
  const git = (...args: string[]) => gitIn(folder.fsPath, ...args);
  const connections = new Emitter<void>();
  const platform: { origin?: string; recent: string[]; added: string[]; listed: string[] } = {
    ...{ recent: [], added: [], listed: [] },
  };
  const deps = {
    log: silentLog,
    platforms: {
      ready: Promise.resolve(),
      onDidChange: connections.event,
      get current() {
        return platform.origin === undefined ? undefined : { origin: platform.origin };
      },
    },
    memory: { recentBases: () => platform.recent, addedBases: () => platform.added },
    platform: { known: async () => ({ knowledge: { bases: { state: { datasets: platform.listed } } } }) },
  } as unknown as Dependencies;

  let told: (readonly Starter[])[];
  let parts: DisposableStore;
  const watch = () => parts.add(watchStarters(deps, (starters) => told.push(starters)));
  const last = async () => told.at(-1);
  beforeEach(() => {
    told = [];
    parts = new DisposableStore();
  });
  afterEach(() => parts.dispose());

  it('is a review where Git has changes, as they come and go', async () => {
    await write('ebb\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    const api = (await vscode.extensions.getExtension('vscode.git')!.activate()).getAPI(1);
    const repository = await api.openRepository(folder);
    await repository.status();
    watch();
    assert.deepEqual(told[0], ['explainProject']);
    await write('flood\n');
    await repository.status();
    await eventuallyEqual(last, ['explainProject', 'reviewChanges']);
    git('add', '-A');
    await repository.status();
    await eventuallyEqual(last, ['explainProject', 'reviewChanges']);
    git('commit', '-qm', 'second');
    await repository.status();
    await eventuallyEqual(last, ['explainProject']);
    const { length } = told;
    parts.dispose();
    await write('ebb\n');
    await repository.status();
    assert.equal(told.length, length, 'nothing is told once it is disposed');
    git('checkout', '-q', '.');
    await repository.status();
  });

  it('is a knowledge base where a platform has one that is known', async () => {
    watch();
    const isOffered = async () => told.at(-1)?.includes('askKnowledge');
    const { length } = told;
    await eventually(async () => assert.ok(told.length > length));
    assert.equal(await isOffered(), false);
    for (const [kind, is] of [
      ['recent', true],
      ['added', true],
      ['listed', true],
    ] as const) {
      Object.assign(platform, { origin: 'https://platform.example', recent: [], added: [], listed: [] });
      connections.fire();
      await eventuallyEqual(isOffered, false);
      platform[kind] = ['d1'];
      connections.fire();
      await eventuallyEqual(isOffered, is);
    }
    delete platform.origin;
    connections.fire();
    await eventuallyEqual(isOffered, false);
  });
});
