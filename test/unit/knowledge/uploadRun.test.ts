import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { KnowledgeUnderTest, MemoryLocalFiles } from '../../support/memoryKnowledge.ts';

describe('sending to a knowledge base', () => {
  it('sends files and source code, each in its way, and knows them the next time', async () => {
    const under = new KnowledgeUnderTest({
      files: new MemoryLocalFiles({ 'docs/a.md': '# A', 'src/b.ts': 'export {};\n' }),
    });
    const report = await under.sendAll();

    assert.deepEqual(report.added, ['app∕docs∕a.md', 'app/src/b.ts']);
    assert.deepEqual(
      under.platform.accepted.map(({ name, content, how }) => ({ name, content, how })),
      [
        { name: 'app∕docs∕a.md', content: '# A', how: 'file' },
        { name: 'app/src/b.ts', content: 'export {};\n', how: 'text' },
      ],
    );
    const again = await under.plan();
    assert.deepEqual(
      again.documents.map(({ change, isSelected }) => [change, isSelected]),
      [
        ['unchanged', false],
        ['unchanged', false],
      ],
    );
  });

  it('goes on after a failure and tries that one again when asked', async () => {
    const under = new KnowledgeUnderTest({
      files: new MemoryLocalFiles({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' }),
    });
    under.platform.before = ({ method, name }) => {
      if (method === 'create' && name === 'app∕b.md') {
        throw new SwitchboardError('request', 'Refused.', { status: 400 });
      }
    };
    const report = await under.sendAll();
    assert.deepEqual(report.added, ['app∕a.md', 'app∕c.md']);
    assert.deepEqual(
      report.failed.map(({ name }) => name),
      ['app∕b.md'],
    );

    under.platform.before = () => {};
    const [retry, ...others] = await under.knowledge.planRetry(under.signal);
    assert.ok(retry);
    assert.deepEqual(others, []);
    assert.deepEqual((await under.runSelected(retry)).added, ['app∕b.md']);
    assert.deepEqual(await under.knowledge.planRetry(under.signal), []);
  });
});
