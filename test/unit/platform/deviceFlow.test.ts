import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { awaitApproval, startDeviceFlow } from '../../../src/platform/openapi/deviceFlow.ts';
import type { HttpClient } from '../../../src/net/httpClient.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { silentLog } from '../../support/silentLog.ts';

const never = new AbortController().signal;
const signedIn = {
  token: 'dfoa_0123456789',
  expires_at: '2026-12-07T01:23:56.609531+00:00',
  account: { id: 'a1', email: 'ann@example.com', name: 'Ann' },
  workspaces: [{ id: 'w1', name: 'Harbour', role: 'owner' }],
  default_workspace_id: 'w1',
};
const code = {
  ...{ userCode: 'TNPT-9DU3', deviceCode: 'dc_1', verificationUri: 'https://dify.example.com/device' },
  ...{ intervalMs: 5_000, expiresInMs: 900_000 },
};

/** Plays the replies in turn, repeating the last, and records the requests' times. */
function platform(...replies: ({ status?: number; body: object } | Error)[]) {
  const clock = new ManualClock();
  const times: number[] = [];
  const sent: unknown[] = [];
  const http = {
    send: ({ body, headers }: { body?: unknown; headers: object }) => {
      times.push(clock.now());
      sent.push([JSON.parse(String(body)), 'authorization' in headers]);
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (!reply || reply instanceof Error) return Promise.reject(reply ?? new Error('no reply'));
      return Promise.resolve({
        ...{ status: reply.status ?? 200, headers: {}, contentType: 'application/json' },
        address: 'https://dify.example.com/openapi/v1/oauth/device/token',
        text: () => Promise.resolve(JSON.stringify(reply.body)),
      });
    },
  } as unknown as HttpClient;
  const context = {
    http,
    connection: { baseUrl: 'https://dify.example.com', key: 'unused' },
    dialects: { get: () => ({}), learn: () => undefined },
    timeouts: { connectMs: 1, firstTokenMs: 1, idleMs: 1 },
    log: silentLog,
  };
  return { flow: { context, clientId: 'difyctl', clock }, clock, times, sent };
}

const word = (error: string) => ({ status: 400, body: { error } });

async function settled<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const end = () => void (state.isOver = true);
  void promise.then(end, end);
  for (let seconds = 0; seconds < 2_000 && !state.isOver; seconds++) {
    clock.advance(1_000);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
  return promise;
}

describe('signing in by a code', () => {
  it('polls at the interval of the server until the user has agreed', async () => {
    const { flow, clock, times, sent } = platform(
      word('authorization_pending'),
      word('authorization_pending'),
      { body: signedIn },
    );
    const found = await settled(clock, awaitApproval(flow, code, never));
    assert.deepEqual(times, [5_000, 10_000, 15_000]);
    assert.deepEqual(sent[0], [{ device_code: 'dc_1', client_id: 'difyctl' }, false]);
    assert.equal(found.token, 'dfoa_0123456789');
    assert.equal(new Date(found.expiresAtMs).toISOString(), '2026-12-07T01:23:56.609Z');
    assert.equal(found.account.defaultWorkspaceId, 'w1');
  });

  it('slows down for good when it is asked to', async () => {
    const { flow, clock, times } = platform(word('slow_down'), word('authorization_pending'), {
      body: signedIn,
    });
    await settled(clock, awaitApproval(flow, code, never));
    assert.deepEqual(times, [5_000, 15_000, 25_000]);
  });

  it('goes on after a poll that got no answer', async () => {
    const failures = (
      ['offline', 'rate-limit', 'timeout-connect', 'timeout-first-token', 'timeout-idle'] as const
    ).map((failure) => new SwitchboardError(failure, 'No answer.'));
    const { flow, clock, times } = platform(...failures, { status: 502, body: {} }, { body: signedIn });
    await settled(clock, awaitApproval(flow, code, never));
    assert.equal(times.length, 7);
  });

  it('ends with the code, and when the user refuses', async () => {
    const denied = platform(word('access_denied'));
    await assert.rejects(settled(denied.clock, awaitApproval(denied.flow, code, never)), {
      code: 'not-permitted',
      message: /denied/,
    });
    const expired = platform(word('expired_token'));
    await assert.rejects(settled(expired.clock, awaitApproval(expired.flow, code, never)), {
      message: /expired/,
    });
    const silent = platform(word('authorization_pending'));
    const brief = { ...code, expiresInMs: 12_000 };
    await assert.rejects(settled(silent.clock, awaitApproval(silent.flow, brief, never)), {
      message: /expired/,
    });
    assert.deepEqual(silent.times, [5_000, 10_000]);
  });

  it('asks no more once it was stopped', async () => {
    const { flow, clock, times } = platform(word('authorization_pending'));
    const stop = new AbortController();
    const waiting = awaitApproval(flow, code, stop.signal);
    stop.abort();
    await assert.rejects(settled(clock, waiting));
    assert.deepEqual(times, []);
    assert.equal(clock.pending, 0);
  });

  it('opens no address but a web page, and waits neither too briefly nor for ever', async () => {
    const wire = {
      device_code: 'dc_1',
      user_code: 'AAAA-BBBB',
      verification_uri: 'https://dify.example.com/device',
    };
    const start = (body: object) => startDeviceFlow(platform({ body }).flow, 'Switchboard', never);
    const started = await start({ ...wire, interval: 0, expires_in: 1e12 });
    assert.deepEqual([started.intervalMs, started.expiresInMs], [1_000, 3_600_000]);
    for (const uri of ['command:workbench.action.quit', 'file:///etc/passwd', 'nowhere']) {
      await assert.rejects(start({ ...wire, verification_uri: uri }));
    }
  });

  it('names the setting when the server does not know the client', async () => {
    const { flow } = platform(word('unsupported_client'));
    await assert.rejects(startDeviceFlow(flow, 'Switchboard', never), { message: /platform\.clientId/ });
  });
});
