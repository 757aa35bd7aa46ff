import assert from 'node:assert/strict';
import { accountAppId } from '../../../../src/apps/appModelId.ts';
import type { ErrorCode } from '../../../../src/base/errors/errors.ts';
import type { AnswerSources } from '../../../../src/chat/grounding/answerSources.ts';
import type { AnswerItem, ChatItem } from '../../../../src/chat/conversation/items.ts';
import { toEntryEnd } from '../../../../src/panel/present/present.ts';
import { presentFailure, remedyLabel } from '../../../../src/panel/present/presentFailure.ts';
import { isMostlyQuestion } from '../../../../src/panel/present/shownTranscript.ts';

const noSources: AnswerSources = { found: [], earlier: { ranges: [], find: () => undefined } };

describe('presentFailure', () => {
  it('quotes the server alone; what the system said is among the details', () => {
    const message = 'The connection to relay.example was closed. Try again.';
    const systemError = 'other side closed (UND_ERR_SOCKET)';
    assert.deepEqual(presentFailure({ code: 'transient', message, details: { systemError } }), {
      code: 'transient',
      message: 'The connection to relay.example was closed.',
      advice: 'Try again.',
      details: `System error: ${systemError}`,
      remedy: { type: 'retry', label: 'Retry' },
    });
  });

  const ofModels = {
    'Connect Relay…': ['key', 'wrong-address'],
    'Open Relay Website': ['balance', 'network-not-allowed'],
    'Choose Another Model': [
      ...(['images', 'model', 'not-permitted', 'context-too-long'] as const),
      ...(['vendor-key', 'vendor-balance', 'vendor-not-permitted'] as const),
    ],
    'New Chat': ['conversation-over'],
    Compact: ['too-large'],
    'Edit Message': ['content-filter'],
    'Edit Inputs': ['inputs'],
    'Open Settings': ['proxy', 'settings', 'tls'],
    'Show Log': ['app-unavailable', 'internal', 'request', 'storage'],
    Retry: [
      ...(['empty-reply', 'transient', 'truncated', 'rate-limit', 'budget'] as const),
      ...(['timeout-connect', 'timeout-first-token', 'timeout-idle', 'offline'] as const),
      ...(['cancelled', 'conflict', 'local-file'] as const),
    ],
  } satisfies Record<string, readonly ErrorCode[]>;
  const ofApps = {
    'Add Platform App…': ['wrong-address'],
    'Change Key…': ['key'],
    'New Chat': ['conversation-over', 'too-large'],
    'Open the Platform': [
      ...(['app-unavailable', 'balance', 'model', 'network-not-allowed', 'not-permitted'] as const),
      ...(['vendor-key', 'vendor-balance', 'vendor-not-permitted'] as const),
    ],
    Retry: ['request', 'transient'],
  } satisfies Record<string, readonly ErrorCode[]>;

  for (const [whose, offers, appId] of [
    ['a model', ofModels, undefined],
    ['an app', ofApps, 'app'],
  ] as const) {
    it(`offers the one thing to do about each failure of ${whose}`, () => {
      for (const [label, codes] of Object.entries(offers)) {
        for (const code of codes)
          assert.equal(presentFailure({ code, message: 'No.' }, { appId }).remedy.label, label, code);
      }
    });
  }

  it('says what continues an answer, and what takes a restoration back', () => {
    assert.deepEqual([remedyLabel('continue'), remedyLabel('restoreBack')], ['Continue', 'Undo Restore']);
  });

  it('opens the settings that a failure is about', () => {
    const offered = (['proxy', 'settings', 'tls'] as const).map(
      (code) => presentFailure({ code, message: 'No.' }).remedy.type,
    );
    assert.deepEqual(offered, ['openProxySettings', 'openSettings', 'openNetworkSettings']);
  });

  it('offers to compact what is too large for a relay; the conversation of an app cannot be', () => {
    const failure = { code: 'too-large', message: 'No.' } as const;
    assert.deepEqual(presentFailure(failure).remedy, { type: 'compact', label: 'Compact' });
    assert.equal(presentFailure(failure, { appId: 'a' }).remedy.type, 'newChat');
  });

  it('offers the models where the message advises another, and a new chat beside them', () => {
    const code = 'context-too-long';
    const types = (parts: object, appId?: string) => {
      const { remedy, second } = presentFailure({ code, message: 'No.', ...parts }, { appId });
      return [remedy.type, second?.type];
    };
    assert.deepEqual(types({}), ['selectModel', 'newChat']);
    assert.deepEqual(types({ details: { status: 400 } }), ['newChat', undefined]);
    assert.deepEqual(types({}, 'app'), ['newChat', undefined]);
  });

  it('offers to sign in again where a sign-in has ended, and to change the key of an app that has one', () => {
    const failure = { code: 'key', message: 'No.' } as const;
    const offered = [accountAppId('1'), 'own'].map((appId) => presentFailure(failure, { appId }).remedy);
    assert.deepEqual(offered, [
      { type: 'signInAgain', label: 'Sign In Again…' },
      { type: 'changeAppKey', label: 'Change Key…' },
    ]);
  });

  it('offers to edit a message that is itself most of what is too large', () => {
    const failure = { code: 'too-large', message: 'No.' } as const;
    const image = { mimeType: 'image/png', data: 'x'.repeat(1000), bytes: 750 } as const;
    const said = (id: string, text: string): ChatItem => ({ type: 'user', id, text });
    const answer: ChatItem = { type: 'answer', id: 'a', model: 'm', text: 'Well'.repeat(50), reasoning: '' };
    const pasted = { kind: 'image', label: 'shot.png', image } as const;
    for (const [items, expected] of [
      [[said('u', 'Look'), answer, { ...said('v', 'And this?'), attachments: [pasted] }], 'editMessage'],
      [[{ ...said('u', 'Look'), attachments: [pasted] }, answer, said('v', 'And this?')], 'compact'],
      [[said('u', 'x'.repeat(1000))], 'editMessage'],
    ] as [ChatItem[], string][]) {
      const { remedy } = presentFailure(failure, { isMostlyQuestion: () => isMostlyQuestion(items) });
      assert.equal(remedy.type, expected);
    }
  });

  it('offers to edit what a content filter blocked', () => {
    const { remedy } = presentFailure({ code: 'content-filter', message: 'No.' });
    assert.deepEqual(remedy, { type: 'editMessage', label: 'Edit Message' });
  });

  it('says that a message which a filter refused is left out of later requests, where that is so', () => {
    const leftOut = 'Edit it. This message is left out of later requests.';
    for (const [model, text, details, advice] of [
      ['m', '', { status: 500 }, leftOut],
      ['m', '', {}, 'Edit it.'],
      ['m', 'Half', { status: 200 }, 'Edit it.'],
      ['app:x', '', { status: 400 }, 'Edit it.'],
    ] as const) {
      const failure = { code: 'content-filter', message: 'Blocked. Edit it.', details } as const;
      const end = { reason: 'failed', failure } as const;
      const item: AnswerItem = { type: 'answer', id: 'a', model, text, reasoning: '', end };
      const shown = toEntryEnd(item, end, { sources: noSources, requests: undefined });
      assert.equal(shown.failure?.advice, advice);
    }
  });

  it('offers to diagnose the connection, second to what fixes it, where the way or the key failed', () => {
    for (const code of ['wrong-address', 'tls', 'proxy', 'offline', 'timeout-connect', 'key'] as const) {
      const { remedy, second } = presentFailure({ code, message: 'No.' });
      assert.deepEqual(second, { type: 'diagnoseConnection', label: 'Diagnose Connection…' }, code);
      assert.notEqual(remedy.type, second.type);
    }
    assert.equal(presentFailure({ code: 'balance', message: 'No.' }).second, undefined);
  });
});
