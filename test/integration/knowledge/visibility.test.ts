import assert from 'node:assert/strict';
import { KnowledgeBases } from '../../../src/knowledge/knowledgeBases.ts';
import { startPlatform } from '../../servers/sandbox.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { stopsOfTest } from '../../support/stopsOfTest.ts';

const never = new AbortController().signal;

describe('a knowledge base for some members', () => {
  const { started } = stopsOfTest();
  const toClean: (() => unknown)[] = [];
  afterEach(() => {
    for (const clean of toClean.splice(0)) clean();
  });

  async function start() {
    const platform = await started(startPlatform());
    const { client, http } = platformUnderTest({ baseUrl: platform.url, key: platform.datasetKey });
    toClean.push(() => http.dispose());
    const bases = new KnowledgeBases({
      ...{ client, added: () => [], closing: never, onChange() {} },
      onDeleted: () => Promise.resolve(),
    });
    return { platform, client, bases };
  }
  const shared = { name: 'Shared', permission: 'partial_members', memberIds: ['a', 'b'] } as const;

  it('is made for its owner alone, and shared by a second request, since a creation takes no members', async () => {
    const { platform, client, bases } = await start();
    const { id, permission } = await bases.create(shared, never);
    assert.equal(permission, 'partial_members');
    assert.equal(bases.find(id)?.permission, 'partial_members');
    const [created, changed] = platform.requests.filter(({ method }) => method !== 'GET');
    assert.deepEqual(created?.json, { name: 'Shared', permission: 'only_me' });
    assert.deepEqual(changed?.json, {
      permission: 'partial_members',
      partial_member_list: [{ user_id: 'a' }, { user_id: 'b' }],
    });
    assert.deepEqual((await client.datasets.get(id, never)).memberIds, ['a', 'b']);
    await client.datasets.update(id, { permission: 'all_team_members' }, never);
    assert.deepEqual(platform.datasets[0]?.memberIds, []);
  });

  it("stays its owner's, and is in the list, if it can't be shared", async () => {
    const { platform, bases } = await start();
    platform.misbehave({ does: 'outage', on: 'updateDataset' });
    await assert.rejects(bases.create(shared, never), { code: 'transient' });
    const shown = bases.state.datasets.map(({ name, permission }) => [name, permission]);
    assert.deepEqual(shown, [['Shared', 'only_me']]);
  });
});
