import assert from 'node:assert/strict';
import type { Memento } from '../../../src/settings/memory.ts';
import { OrderedMemento } from '../../../src/settings/editorStorage.ts';

/** Like the editor: after each write the stored state arrives and replaces everything. */
class EchoingMemento implements Memento {
  values: Record<string, unknown> = {};
  private readonly echoes: { stored: Record<string, unknown>; resolve: () => void }[] = [];

  get<T>(key: string, fallback?: T): T {
    return (this.values[key] ?? fallback) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values = { ...this.values, [key]: value };
    const stored = this.values;
    return new Promise((resolve) => this.echoes.push({ stored, resolve }));
  }

  /** Delivers the oldest write's echo; false if there is none. */
  async echo(): Promise<boolean> {
    const [first] = this.echoes.splice(0, 1);
    if (!first) return false;
    this.values = first.stored;
    first.resolve();
    // Lets code that waited for the write continue.
    await new Promise(setImmediate);
    return true;
  }
}

describe('the memento of all windows', () => {
  let editor: EchoingMemento;
  let memento: OrderedMemento;
  beforeEach(() => {
    editor = new EchoingMemento();
    memento = new OrderedMemento(editor);
  });

  it('keeps what is written before the write before it has come back', async () => {
    const done = [memento.update('apps', ['a']), memento.update('apps', ['a', 'b'])];
    void memento.update('draft', 'x');
    await editor.echo();
    assert.deepEqual(memento.get('apps'), ['a', 'b']);
    assert.equal(memento.get('draft'), 'x');
    while (await editor.echo());
    await Promise.all(done);
    assert.deepEqual(editor.values, { apps: ['a', 'b'], draft: 'x' });
  });

  it('forgets at once what is removed', async () => {
    void memento.update('draft', 'x');
    while (await editor.echo());
    void memento.update('draft', undefined);
    assert.equal(memento.get('draft', 'none'), 'none');
    while (await editor.echo());
    assert.equal(editor.get('draft'), undefined);
  });

  it('writes on after a write that failed, and tells of it', async () => {
    const stored = new Map<string, unknown>();
    let fails = true;
    const failing = new OrderedMemento({
      get: <T>(key: string, fallback?: T) => (stored.get(key) ?? fallback) as T,
      async update(key, value) {
        if (fails) throw new Error('the disk is full');
        stored.set(key, value);
      },
    });
    await assert.rejects(failing.update('draft', 'x'), /full/);
    assert.equal(failing.get('draft'), undefined);
    fails = false;
    await failing.update('draft', 'y');
    assert.equal(stored.get('draft'), 'y');
  });
});
