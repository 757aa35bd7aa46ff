import assert from 'node:assert/strict';
import { chatEventSchema } from '../../../../src/chat/store/events.ts';
import { upgradeEvent } from '../../../../src/chat/store/parseEvents.ts';

describe('events as version 0.1.0 wrote them', () => {
  const written = [
    { type: 'userSaid', id: 'u', text: 'When is high water?' },
    { type: 'fileGiven', id: 'a', file: { name: 'tides.png', address: 'https://platform.example/t.png' } },
  ];
  for (const event of written) {
    it(`are read in today's words: ${event.type}`, () => {
      const { type: _type, ...rest } = event;
      const { type: _now, ...read } = chatEventSchema.parse(upgradeEvent(event));
      assert.deepEqual(read, rest);
    });
  }

  const inputs: Record<string, object> = {
    '{"path":"a.ts"}': { input: { path: 'a.ts' } },
    '': { input: {} },
    'a.ts': { input: {}, inputText: 'a.ts' },
  };
  for (const [text, read] of Object.entries(inputs)) {
    it(`have calls with arguments that are text: ${JSON.stringify(text)}`, () => {
      const call = { id: 'c', callId: 'c0', name: 'read_file' };
      const event = chatEventSchema.parse(
        upgradeEvent({ type: 'toolsCalled', id: 'a', calls: [{ ...call, arguments: text }] }),
      );
      const [found] = event.type === 'toolsCalled' ? event.calls : [];
      const { problem, ...rest } = found ?? {};
      assert.deepEqual(rest, { ...call, ...read });
      assert.equal(problem !== undefined, 'inputText' in read);
    });
  }
});
