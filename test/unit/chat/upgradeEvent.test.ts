import assert from 'node:assert/strict';
import { chatEventSchema } from '../../../src/chat/events.ts';
import { upgradeEvent } from '../../../src/chat/upgradeEvent.ts';

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
});
