import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { Clients } from '../../../src/connections/clients.ts';
import { type PlatformSession, PlatformSessions } from '../../../src/connections/platformSessions.ts';
import { workspaceMembers } from '../../../src/connections/workspaceMembers.ts';
import { createHttpClient } from '../../../src/net/httpClient.ts';
import type { Transport } from '../../../src/net/transport.ts';
import { silentLog } from '../../support/silentLog.ts';
import { createMemoryKeys } from '../../support/memoryKeys.ts';

const session: PlatformSession = {
  ...{ baseUrl: 'https://cloud.dify.ai', token: 'dfoa_0123456789', expiresAtMs: 8.64e15 },
  account: { id: 'a1', name: 'Ann', email: 'ann@example.com' },
  workspace: { id: 'w1', name: 'Harbour' },
};
const member = (id: string) => ({ id, name: id, email: `${id}@example.com` });

/** Two workspaces: Ben, whose page is the first of two, is in one of them. */
const answers: Record<string, unknown> = {
  '/workspaces': { workspaces: ['w1', 'w2'].map((id) => ({ id, name: `Workspace ${id}` })) },
  '/workspaces/w1/members?page=1': { data: [member('ben')], has_more: true },
  '/workspaces/w1/members?page=2': { data: [member('cleo')], has_more: false },
  '/workspaces/w2/members?page=1': { data: [member('dora')], has_more: false },
};

function setUp() {
  const keys = createMemoryKeys();
  const asked: URL[] = [];
  const direct: Transport = async ({ url }) => {
    asked.push(url);
    const page = url.searchParams.get('page');
    const path = url.pathname.replace(/^.*(?=\/workspaces)/, '') + (page === null ? '' : `?page=${page}`);
    const body = [Buffer.from(JSON.stringify(answers[path] ?? {}))];
    const status = path in answers ? 200 : 404;
    return { status, headers: { 'content-type': 'application/json' }, body: Readable.from(body) };
  };
  const settings = () => ({ noProxy: [], strictTls: true });
  const http = createHttpClient({ settings, log: silentLog, environment: {}, direct });
  const clients: Pick<Clients, 'contextOf'> = {
    contextOf: async (connection) => ({
      ...{ http, connection, log: silentLog },
      dialects: { get: () => ({}), learn: () => undefined },
      timeouts: { connectMs: 0, firstTokenMs: 0, idleMs: 0 },
    }),
  };
  const find = (baseUrl: string) =>
    workspaceMembers({ keys, clients }, { baseUrl, createdBy: 'ben' }, new AbortController().signal);
  return { asked, keys, sessions: new PlatformSessions(keys), find };
}

describe('the members of a workspace', () => {
  it('are those of the workspaces that the maker of the app is in, of all pages', async () => {
    const { sessions, find } = setUp();
    await sessions.save(session);
    assert.deepEqual(await find('https://api.dify.ai/v1'), [
      { workspace: 'Workspace w1', members: [member('ben'), member('cleo')] },
    ]);
  });

  it('are asked for where one is signed in alone, and not after that has ended', async () => {
    const { asked, sessions, find } = setUp();
    await sessions.save({ ...session, expiresAtMs: 0 });
    assert.deepEqual(await find('https://api.dify.ai/v1'), []);
    await sessions.save(session);
    assert.deepEqual(await find('https://dify.example.com/v1'), []);
    assert.deepEqual(asked, []);
  });
});

describe('saved sign-ins', () => {
  it('are told from the keys of the same server', async () => {
    const { keys, sessions } = setUp();
    await keys.set({ kind: 'dataset', origin: session.baseUrl }, 'dataset-1');
    assert.deepEqual(await sessions.all(), []);
    await sessions.save(session);
    assert.deepEqual(await sessions.all(), [session]);
  });

  it('are listed beside those that cannot be read', async () => {
    const { keys, sessions } = setUp();
    await sessions.save(session);
    const broken = JSON.stringify({ ...session, baseUrl: 'nowhere' });
    await keys.set({ kind: 'session', origin: 'https://broken.example' }, broken);
    await keys.set({ kind: 'session', origin: 'https://cut.example' }, broken.slice(9));
    assert.deepEqual(await sessions.all(), [session]);
  });
});
