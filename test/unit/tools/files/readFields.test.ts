import assert from 'node:assert/strict';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';

describe('reading the fields of a file', () => {
  async function setUp() {
    const { dependencies, workspace } = toolsUnderTest({ '/work/SKILL.md': '---\nname: one\n---\nDo it' });
    const { policy, texts } = dependencies;
    let opened = 0;
    workspace.memory.beforeAccess = (method) => void (method === 'open' && opened++);
    const read = async () => {
      const verdict = await policy.check('SKILL.md', 'read');
      assert.ok(verdict.isAllowed);
      const before = opened;
      const found = await texts.readFields(verdict);
      return { name: String(found?.fields['name']), isRead: opened > before };
    };
    return { read, workspace };
  }

  it('opens it again only once it has changed', async () => {
    const { read, workspace } = await setUp();
    assert.deepEqual(await read(), { name: 'one', isRead: true });
    assert.deepEqual(await read(), { name: 'one', isRead: false });
    workspace.memory.set('/work/SKILL.md', '---\nname: two\n---\nDo it');
    assert.deepEqual(await read(), { name: 'two', isRead: true });
    workspace.unsavedTexts.set('/work/SKILL.md', '---\nname: three\n---\n');
    assert.equal((await read()).name, 'three');
    workspace.unsavedTexts.clear();
    assert.equal((await read()).name, 'two');
  });
});
