import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { DocumentStatus } from '../../../src/knowledge/indexing/documentStatus.ts';
import type { PlatformClient } from '../../../src/platform/platformClient.ts';
import type { PlatformOptions } from '../../servers/platform/platformOptions.ts';
import { type PlatformServer, startPlatform } from '../../servers/platform/platformServer.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { allSelected } from '../../support/memoryKnowledge.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { startHttp, type TinyServer } from '../../support/tinyServers.ts';
import { WorkspaceUnderTest, type WorkspaceWindow } from '../../support/workspaceUnderTest.ts';

const someFiles = {
  'docs/guide.md': '# Guide\n\nThe harbour closes at ten.\n',
  'docs/faq.txt': 'Ask the harbour master.\n',
  'src/tide.ts': 'export function tide() {\n    return "indented by four";\n}\n',
};

describe('a workspace and a knowledge base', () => {
  const toClean: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of toClean.splice(0).toReversed()) await clean();
  });

  interface Place {
    server: PlatformServer;
    client: PlatformClient;
    datasetId: string;
    workspace: WorkspaceUnderTest;
    window: WorkspaceWindow;
  }

  async function start(
    options: PlatformOptions = {},
    files: Record<string, string | Uint8Array> = someFiles,
  ): Promise<Place> {
    const server = await startPlatform(options);
    toClean.push(() => server.stop());
    const client = clientOf(server);
    const workspace = new WorkspaceUnderTest(files);
    toClean.push(() => workspace.dispose());
    const { id: datasetId } = await client.datasets.create({ name: 'Docs' }, workspace.signal);
    return { server, client, datasetId, workspace, window: workspace.open(client) };
  }

  function clientOf({ url, datasetKey }: PlatformServer): PlatformClient {
    const { client, http } = platformUnderTest({ baseUrl: url, key: datasetKey });
    toClean.push(() => http.dispose());
    return client;
  }

  const stored = ({ server }: Place) => server.datasets[0]?.documents ?? [];
  const changes = async ({ window, datasetId }: Place) =>
    (await window.plan(datasetId)).documents.map(({ change }) => change);
  const statuses = ({ window, datasetId }: Place): Record<string, DocumentStatus> =>
    Object.fromEntries(
      window.knowledge.documents(datasetId).state.documents.map(({ name, status }) => [name, status]),
    );

  it('are searched as it was set here: only where the metadata fit', async () => {
    const { client, datasetId, workspace, window } = await start({ indexing: 'instant' });
    await window.send(datasetId);
    const { signal } = workspace;
    const field = await client.metadata.create(datasetId, { name: 'owner', type: 'string' }, signal);
    const { items } = await client.documents.list(datasetId, { page: 1, limit: 9 }, signal);
    const guide = items.find(({ name }) => name.includes('guide'))?.id ?? '';
    const value = { id: field.id, name: 'owner', value: 'Ann' };
    await client.metadata.setValues(datasetId, [{ documentId: guide, values: [value] }], signal);
    const names = async () => {
      const wanted = { datasetIds: [datasetId], query: 'harbour', topK: 9 };
      const { results } = await window.knowledge.search(wanted, signal);
      return results.map(({ documentName }) => documentName.slice(9)).toSorted();
    };
    assert.deepEqual(await names(), ['faq.txt', 'guide.md']);
    const only = (comparison: string, ...words: string[]) =>
      workspace.searchSettings.set(datasetId, {
        filter: {
          match: 'all',
          conditions: [{ name: 'owner', comparison, ...(words.length > 0 && { value: words[0] }) }],
        },
      });
    only('is', 'Ann');
    assert.deepEqual(await names(), ['guide.md']);
    only('empty');
    assert.deepEqual(await names(), ['faq.txt']);
    workspace.searchSettings.set(datasetId, { filter: 'nonsense' });
    assert.deepEqual(await names(), ['faq.txt', 'guide.md']);
  });

  for (const dialect of ['dify', 'description'] as const) {
    it(`are synced and stay so, in the words of ${dialect}`, async () => {
      const place = await start({ dialect });
      const { window, workspace, datasetId } = place;
      const first = await window.send(datasetId);
      assert.deepEqual([first.added.length, first.failed], [3, []]);
      assert.deepEqual(Object.fromEntries(stored(place).map(({ name, text }) => [name, text])), {
        'app/src/tide.ts': someFiles['src/tide.ts'],
        'app∕docs∕faq.txt': someFiles['docs/faq.txt'],
        'app∕docs∕guide.md': someFiles['docs/guide.md'],
      });
      await eventuallyEqual(
        () => Object.values(statuses(place)).map(({ type }) => type),
        ['indexed', 'indexed', 'indexed'],
      );
      assert.ok(
        Object.values(statuses(place)).every((status) => status.type === 'indexed' && status.segments === 1),
      );
      assert.deepEqual(await changes(place), ['unchanged', 'unchanged', 'unchanged']);

      const ids = () => Object.fromEntries(stored(place).map(({ id, name }) => [name, id]));
      const before = ids();
      workspace.write('docs/guide.md', '# Guide\n\nThe harbour never closes.\n', 30);
      const second = await window.send(datasetId);
      assert.deepEqual([second.added, second.updated], [[], ['app∕docs∕guide.md']]);
      assert.deepEqual(ids(), before);

      workspace.remove('docs/faq.txt');
      const third = await window.send(datasetId, 'docs', true);
      assert.deepEqual(third.removed, ['app∕docs∕faq.txt']);
      assert.equal(stored(place).length, 2);
    });
  }

  it('find what was sent, and where it came from', async () => {
    const place = await start({ indexing: 'instant' });
    const { window, datasetId, workspace } = place;
    await window.send(datasetId);
    const { results, failures } = await window.knowledge.search(
      { datasetIds: [datasetId], query: 'harbour closes', topK: 2 },
      workspace.signal,
    );
    assert.deepEqual(failures, []);
    const { path, segmentLines, hash } = results[0]?.origin ?? {};
    assert.deepEqual([path, segmentLines], ['docs/guide.md', { start: 1, end: 3 }]);
    assert.match(hash ?? '', /^[0-9a-f]{64}$/);
    assert.equal(results[0]?.datasetName, 'Docs');
  });

  it('notice what others did to the documents', async () => {
    const place = await start({ indexing: 'instant' });
    await place.window.send(place.datasetId);
    place.server.others.replaceDocument('Docs', 'app∕docs∕guide.md', 'Theirs.');
    place.server.others.deleteDocument('Docs', 'app∕docs∕faq.txt');
    const { documents } = await place.window.plan(place.datasetId);
    assert.deepEqual(
      Object.fromEntries(documents.map(({ origin, change, conflict }) => [origin.path, conflict ?? change])),
      { 'docs/guide.md': 'changed-there', 'docs/faq.txt': 'deleted-there', 'src/tide.ts': 'unchanged' },
    );
  });

  it('are synced by another window after a kill in the middle: nothing twice, nothing forgotten', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`docs/${index}.md`, `File ${index}.`]),
    );
    // In this dialect no request is refused and repeated in another form.
    const place = await start({ indexing: 'instant', dialect: 'description' }, files);
    const { workspace, client, datasetId, server } = place;
    let linesLeft = 70;
    let asleep = 0;
    let wake = () => {};
    const sleep = new Promise<void>((resolve) => (wake = resolve));
    const killed = workspace.open(client, ({ storage }) => ({
      storage: {
        read: (name) => storage.read(name),
        list: () => storage.list(),
        rewrite: (name, edit) => storage.rewrite(name, edit),
        remove: (name) => storage.remove(name),
        append(name, line) {
          if (linesLeft-- > 0) return storage.append(name, line);
          if (line.includes('"type":"sending"')) asleep++;
          return sleep;
        },
      },
    }));
    const sending = killed.send(datasetId);
    // Each of the three concurrent uploads reaches a line that is no longer written.
    await eventuallyEqual(() => asleep, 3);
    const atKill = stored(place).length;
    assert.ok(atKill > 20 && atKill < 60, `${atKill} documents`);

    const [run, ...others] = await place.window.knowledge.uploads.interrupted();
    assert.ok(run);
    assert.deepEqual(others, []);
    const report = await place.window.knowledge.uploads.resume(run, workspace.signal);
    assert.deepEqual(report.failed, []);
    const texts = stored(place).map(({ text }) => text);
    assert.deepEqual(new Set(texts), new Set(Object.values(files)));
    assert.equal(texts.length, 60);
    assert.equal(server.count('createByFile'), 60);
    assert.deepEqual([...new Set(await changes(place))], ['unchanged']);
    assert.deepEqual(await place.window.knowledge.uploads.interrupted(), []);

    killed.knowledge.dispose();
    wake();
    await sending;
  });

  it('get over limits, broken connections and lost answers without sending anything twice', async () => {
    const place = await start({ indexing: 'instant' });
    place.server.misbehave({ does: 'rate-limit', document: 'app∕docs∕guide.md', times: 5 });
    place.server.misbehave({ does: 'cut-upload', document: 'app∕docs∕faq.txt', times: 1 });
    place.server.misbehave({ does: 'lose-answer', document: 'app/src/tide.ts', times: 1 });
    const { added, failed } = await place.window.send(place.datasetId);
    assert.deepEqual(failed, []);
    assert.equal(added.length, 3);
    assert.equal(stored(place).length, 3);
    assert.equal(place.server.count('createByText'), 1);
    assert.deepEqual(await changes(place), ['unchanged', 'unchanged', 'unchanged']);
  });

  it('get over an answer whose chunks break without ending the run or sending anything twice', async () => {
    const place = await start({ indexing: 'instant', dialect: 'description' });
    const front = await startBreakingFront(place.server.url, /create_by_file/);
    toClean.push(() => front.stop());
    const { client, http } = platformUnderTest({
      baseUrl: `http://127.0.0.1:${front.port}`,
      key: place.server.datasetKey,
    });
    toClean.push(() => http.dispose());
    const { added, failed } = await place.workspace.open(client).send(place.datasetId);
    assert.deepEqual([added.length, failed], [3, []]);
    assert.equal(stored(place).length, 3);
    assert.equal(place.server.count('createByFile'), 2);
  });

  it('go on after a refusal, whose reason is told', async () => {
    const place = await start({ indexing: 'instant' });
    place.server.misbehave({ does: 'empty-message', document: 'app∕docs∕guide.md' });
    const { added, failed } = await place.window.send(place.datasetId);
    assert.deepEqual(added, ['app∕docs∕faq.txt', 'app/src/tide.ts']);
    assert.deepEqual(
      failed.map(({ name, error }) => [name, error.status]),
      [['app∕docs∕guide.md', 400]],
    );
  });

  it('are watched in a few requests a round, however many documents wait', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`docs/${index}.md`, `File ${index}.`]),
    );
    const place = await start({ dialect: 'description' }, files);
    place.server.misbehave({ does: 'stuck' });
    assert.equal((await place.window.send(place.datasetId)).added.length, 300);
    const began = place.server.count('listDocuments');
    const status = place.server.count('indexingStatus');
    // Three pages of a hundred documents are one poll.
    await eventually(() => assert.ok(place.server.count('listDocuments') >= began + 9));
    assert.equal(place.server.count('indexingStatus'), status);
    const types = new Set(Object.values(statuses(place)).map(({ type }) => type));
    assert.ok(types.has('waiting') || types.has('stuck'), [...types].join());
  });

  it('get over an outage of the platform: nothing fails and nothing is there twice', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`docs/${index}.md`, `File ${index}.`]),
    );
    const place = await start({ indexing: 'instant', dialect: 'description' }, files);
    const planned = await place.window.plan(place.datasetId);
    const pauses: string[] = [];
    let repair: (() => void) | undefined;
    const report = await place.window.knowledge.uploads.run(
      planned,
      allSelected(planned),
      place.workspace.signal,
      ({ done, pause }) => {
        if (done === 10) repair ??= place.server.misbehave({ does: 'outage' });
        if (pause) pauses.push(pause.reason);
        if (pauses.length === 3) repair?.();
      },
    );
    assert.deepEqual([report.added.length, report.failed], [30, []]);
    assert.deepEqual(new Set(pauses), new Set(['failing']));
    assert.equal(stored(place).length, 30);
    // Each of the three uploads in flight is retried at most once per pause.
    assert.ok(
      place.server.count('createByFile') <= 30 + 3 * 4,
      `${place.server.count('createByFile')} tries`,
    );
  });

  it('go on with the other knowledge bases where one is gone and one is closed', async () => {
    const place = await start({ indexing: 'instant' });
    const { server, client, window, workspace } = place;
    const add = async (name: string) => (await client.datasets.create({ name }, workspace.signal)).id;
    const [gone, closed, good] = [await add('Gone'), await add('Closed'), await add('Good')];
    const repair = server.misbehave({ does: 'empty-message' });
    for (const id of [gone, closed, good]) assert.equal((await window.send(id)).failed.length, 3);
    repair();
    server.others.deleteDataset('Gone');
    server.others.switchApi('Closed', false);

    const { plans, problems } = await window.knowledge.uploads.planRetry(workspace.signal);
    assert.deepEqual(
      problems.map(({ datasetName, error }) => [datasetName, error.status]),
      [
        ['Gone', 404],
        ['Closed', 403],
      ],
    );
    assert.deepEqual(
      plans.map(({ dataset }) => dataset.name),
      ['Good'],
    );
    const report = await window.knowledge.uploads.run(plans[0]!, allSelected(plans[0]!), workspace.signal);
    assert.deepEqual([report.added.length, report.failed], [3, []]);
    // Only files that can still be sent are remembered.
    server.others.switchApi('Closed', true);
    const again = await window.knowledge.uploads.planRetry(workspace.signal);
    assert.deepEqual([again.plans.map(({ dataset }) => dataset.name), again.problems], [['Closed'], []]);
  });

  it('send again what is stuck, which then is indexed', async () => {
    const place = await start({ indexing: 'instant' });
    place.server.misbehave({ does: 'stuck', document: 'app∕docs∕guide.md', times: 1 });
    await place.window.send(place.datasetId);
    const stuck = () => place.window.knowledge.documents(place.datasetId).stuck.map(({ name }) => name);
    await eventuallyEqual(stuck, ['app/docs/guide.md']);
    assert.deepEqual((await place.window.send(place.datasetId)).updated, ['app∕docs∕guide.md']);
    await eventuallyEqual(() => statuses(place)['app/docs/guide.md']?.type, 'indexed');
    assert.equal(stored(place).length, 3);
  });

  it('tell the truth of indexing: empty, failed, and a batch that is unknown', async () => {
    const place = await start({ indexing: 'instant' });
    place.server.misbehave({ does: 'empty', document: 'app∕docs∕guide.md' });
    place.server.misbehave({ does: 'index-error', document: 'app∕docs∕faq.txt', message: 'No model.' });
    place.server.misbehave({ does: 'status-unknown' });
    await place.window.send(place.datasetId);
    await eventuallyEqual(() => statuses(place), {
      'app/docs/guide.md': { type: 'empty' },
      'app/docs/faq.txt': { type: 'failed', reason: 'No model.' },
      'app/src/tide.ts': { type: 'indexed', segments: 1 },
    });
  });
});

/** Passes everything on, but breaks the answer to the first request of this kind. */
function startBreakingFront(target: string, kind: RegExp): Promise<TinyServer> {
  let isBroken = false;
  return startHttp((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    const breaks = !isBroken && kind.test(url);
    isBroken ||= breaks;
    const onward = request(`${target}${url}`, { method, headers }, (response) => {
      if (!breaks) {
        response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers));
        return;
      }
      response.resume();
      outgoing.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"doczz');
    });
    // The platform ends before this front and may reset a pending request.
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
}
