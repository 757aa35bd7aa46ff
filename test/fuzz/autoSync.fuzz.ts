import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import type { SyncTerms } from '../../src/knowledge/autoSync/syncTerms.ts';
import { FolderUnderTest } from '../support/syncedFolderUnderTest.ts';
import type { Target } from './property.ts';

const paths = ['a.ts', 'b.md', 'docs/c.ts', 'docs/d.md', 'e.ts', 'f.ts', 'g.ts', 'h.ts'];
const path = fc.constantFrom(...paths);
/** Joined, so that the repository holds nothing that looks like a key. */
const secret = `const key = "${['AK', 'IAQYLPMN5HHHFPZAM2'].join('')}";`;

type Act =
  | { act: 'write' | 'leak' | 'remove' | 'revert' | 'replaced' | 'deletedThere'; path: string }
  | { act: 'rename'; path: string; to: string }
  | {
      act: 'commit' | 'checkout' | 'pause' | 'resume' | 'outage' | 'recovery' | 'indexed' | 'reload' | 'many';
    }
  /** The process dies after so many more lines of the manifest and the links. */
  | { act: 'crash'; lines: number }
  | { act: 'wait' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ act: fc.constant('write' as const), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constantFrom('leak' as const, 'replaced', 'deletedThere'), path }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constantFrom('remove' as const, 'revert'), path }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('rename' as const), path, to: path }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom(
        ...(['commit', 'commit', 'checkout', 'checkout', 'pause', 'resume', 'resume', 'indexed'] as const),
        ...(['outage', 'recovery', 'recovery', 'reload', 'many'] as const),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('crash' as const), lines: fc.nat(8) }) },
  { weight: 6, arbitrary: fc.constant({ act: 'wait' as const }) },
);

class World {
  readonly test: FolderUnderTest;
  private number = 0;
  private isDown = false;
  /** Changed by others on the platform, which only a look at the whole folder notices. */
  private readonly theirs = new Set<string>();
  private readonly olderContents = new Map<string, string>();

  constructor(when: SyncTerms['when']) {
    const limits = { maxFiles: 5, maxBytes: 10_000, maxFileSizeBytes: 1_000_000, exclude: [] };
    this.test = new FolderUnderTest({ when, branch: 'main', ...limits });
    this.test.platform.before = () => {
      if (this.isDown) throw new SwitchboardError('offline', 'The platform is down.');
    };
  }

  async perform(next: Act): Promise<void> {
    const { test } = this;
    switch (next.act) {
      case 'write':
        this.write(next.path, `${test.repository.branch} ${++this.number}`);
        break;
      case 'leak':
        this.write(next.path, `${secret} // ${++this.number}`);
        break;
      case 'revert': {
        const older = this.olderContents.get(next.path);
        if (older?.startsWith(test.repository.branch)) this.write(next.path, older);
        break;
      }
      case 'remove':
        test.remove(next.path);
        break;
      case 'rename':
        test.rename(next.path, next.to);
        break;
      case 'many':
        for (const each of paths) this.write(each, `${test.repository.branch} ${++this.number}`);
        break;
      case 'replaced': {
        this.theirs.add(next.path);
        const { documents } = test.platform;
        const ours = [...documents.values()].find(({ record }) => record.name === test.nameOf(next.path));
        if (ours) ours.record = { ...ours.record, uploadFileId: `theirs-${++this.number}` };
        break;
      }
      case 'deletedThere':
        this.theirs.add(next.path);
        for (const [id, { record }] of test.platform.documents) {
          if (record.name === test.nameOf(next.path)) test.platform.documents.delete(id);
        }
        break;
      default:
        await this.performOn(next.act, 'lines' in next ? next.lines : 0);
    }
  }

  /** Everything is made well again, and left alone. */
  async end(): Promise<void> {
    const { test } = this;
    this.isDown = false;
    this.checkout('main');
    test.commit();
    await this.reopen();
    await test.folder.resume();
    await test.pass();
    await test.folder.resume();
    await test.pass();
    this.theirs.clear();
  }

  check(): void {
    const { test } = this;
    const { contents, twice } = test.documents;
    assert.deepEqual(twice, [], 'a document is there twice');
    for (const { content } of test.platform.accepted) {
      assert.ok(!content.includes('const key'), 'a secret went out');
      assert.ok(!content.startsWith('side'), 'another branch went out');
    }
    const { state } = test.folder;
    if (state.activity !== 'still' || (state.pause && state.pause.reason !== 'limit')) return;
    const waiting = new Set(state.waiting.map((each) => each.path));
    for (const [each, { content }] of test.files.entries) {
      if (waiting.has(each) || this.theirs.has(each) || contents.get(test.nameOf(each)) === content) continue;
      // After a commit, only what it holds is sent.
      if (test.terms.when === 'commit' && this.isAsCommitted(each, contents)) continue;
      assert.fail(`${each} is lost or stale: ${test.waiting.join(', ')}`);
    }
    const names = new Map(paths.map((each) => [test.nameOf(each), each]));
    for (const name of contents.keys()) {
      const of = names.get(name) ?? '';
      if (test.files.entries.has(of) || waiting.has(of)) continue;
      assert.ok(test.terms.when === 'commit' && test.repository.tree.has(of), `${of} is gone, unlisted`);
    }
  }

  async reopen(): Promise<void> {
    this.test.kill();
    this.test.storage.before = async () => {};
    await this.test.open();
  }

  private isAsCommitted(of: string, contents: ReadonlyMap<string, string>): boolean {
    return this.test.repository.tree.get(of) === contents.get(this.test.nameOf(of));
  }

  private write(to: string, content: string): void {
    const before = this.test.files.entries.get(to);
    if (before) this.olderContents.set(to, String(before.content));
    this.test.write(to, content);
  }

  /** Uncommitted changes would go along, and then be the other branch's. */
  private checkout(branch: string): void {
    this.test.repository.commit();
    this.test.checkout(branch);
  }

  private async performOn(name: Act['act'], lines: number): Promise<void> {
    const { test } = this;
    switch (name) {
      case 'commit':
        test.commit();
        break;
      case 'checkout':
        this.checkout(test.repository.branch === 'main' ? 'side' : 'main');
        break;
      case 'pause':
        await test.folder.pause();
        break;
      case 'resume':
        await test.folder.resume();
        break;
      case 'outage':
        this.isDown = true;
        break;
      case 'recovery':
        this.isDown = false;
        break;
      case 'indexed':
        test.platform.index('completed');
        break;
      case 'reload':
        await this.reopen();
        break;
      case 'crash':
        await this.crashAfter(lines);
        break;
      case 'wait':
        await test.pass(3 * 60_000);
        this.check();
    }
  }

  private async crashAfter(lines: number): Promise<void> {
    const { test } = this;
    let left = lines;
    test.storage.before = async () => {
      if (left-- > 0) return;
      test.kill();
      await new Promise(() => undefined);
    };
    await test.pass(2 * 60_000);
    await this.reopen();
  }
}

export const target: Target = {
  'is in step in the end, or says what waits': {
    runs: 40,
    property: fc.asyncProperty(
      fc.constantFrom('quiet' as const, 'commit' as const),
      fc.array(act, { minLength: 10, maxLength: 40 }),
      async (when, acts) => {
        const world = new World(when);
        await world.test.open();
        for (const next of acts) {
          await world.perform(next);
          world.check();
        }
        await world.end();
        world.check();
        const { state } = world.test.folder;
        assert.ok(state.activity === 'still', state.activity);
        assert.ok(!state.pause || state.pause.reason === 'limit', state.pause?.reason);
        world.test.kill();
      },
    ),
  },
};
