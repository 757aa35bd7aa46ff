import assert from 'node:assert/strict';
import type { AppRecord } from '../../../../src/apps/appRegistry.ts';
import type { AppClient } from '../../../../src/apps/client/appClient.ts';
import { KeyedTwins } from '../../../../src/apps/run/keyedTwins.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';

const origin = 'https://dify.example.com';
const record = (id: string, more: Partial<AppRecord> = {}): AppRecord => ({
  ...{ id, origin, baseUrl: origin, name: 'Flow', kind: 'workflow', description: '', addedAtMs: 0 },
  ...more,
});
const account = record('account-1', { account: { accountId: 'u', appId: 'a-1', workspace: 'w' } });

/** Apps whose keys know these runs, each with its version. */
function twinsOf(apps: AppRecord[], runs: Record<string, Record<string, string>>) {
  const asked: string[] = [];
  const clientOf = (id: string) => ({
    workflowLogs: async () => {
      asked.push(id);
      return { runs: Object.keys(runs[id] ?? {}).map((each) => ({ id: each })), hasMore: false };
    },
    workflowRun: async (runId: string) => {
      const workflowId = runs[id]?.[runId];
      if (workflowId === undefined) throw new SwitchboardError('request', 'not found', { status: 404 });
      return { id: runId, workflowId, status: 'succeeded', outputs: {} };
    },
  });
  const clients = new Map(apps.map(({ id }) => [id, clientOf(id) as unknown as AppClient]));
  const twins = new KeyedTwins({
    apps,
    find: (id) => apps.find((each) => each.id === id),
    client: async (id) => clients.get(id)!,
  });
  return { twins, asked, clients, clientOf };
}

const { signal } = new AbortController();

describe("the app key of a sign-in's app", () => {
  it('counts once a version proves that it is the same app', async () => {
    const [same, other] = [record('same'), record('other')];
    const { twins, asked } = twinsOf([account, other, same], {
      ...{ other: { r1: 'version of another' }, same: { r2: 'own version' } },
    });
    const versions: string[] = [];
    const hasVersion = async (id: string) => {
      versions.push(id);
      return id === 'own version';
    };
    assert.equal(await twins.find(account, hasVersion, signal), same);
    assert.deepEqual(versions, ['version of another', 'own version']);
    assert.equal(await twins.find(account, hasVersion, signal), same);
    assert.deepEqual(asked, ['other', 'same'], 'asked once');
  });

  it('or a run that the sign-in began', async () => {
    const { twins } = twinsOf([account, record('other'), record('same')], { same: { r9: 'v' } });
    assert.equal(await twins.find(account, async () => false, signal), undefined);
    assert.equal((await twins.learn(account, 'r9', signal))?.id, 'same');
    assert.equal((await twins.find(account, async () => false, signal))?.id, 'same');
  });

  it('is proven again when it has changed', async () => {
    const { twins, clients, clientOf } = twinsOf([account, record('same')], { same: { r1: 'v' } });
    assert.ok(await twins.find(account, async () => true, signal));
    clients.set('same', clientOf('none') as unknown as AppClient);
    assert.equal(await twins.find(account, async () => true, signal), undefined);
  });

  it('is looked for among apps of its name, kind and site alone', async () => {
    const apps = [
      account,
      record('renamed', { name: 'Other' }),
      record('chat', { kind: 'chat' }),
      record('elsewhere', { origin: 'https://dify.example.org' }),
      record('plain', { origin: 'http://dify.example.com' }),
      record('second', { account: { accountId: 'u', appId: 'a-2', workspace: 'w' } }),
      record('service', { origin: 'https://api.example.com' }),
    ];
    const { twins, asked } = twinsOf(apps, {});
    assert.equal(await twins.find(account, async () => true, signal), undefined);
    assert.deepEqual(asked, ['service']);
  });
});
