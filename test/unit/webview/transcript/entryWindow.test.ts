import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ToPage } from '../../../../src/shared/protocol.ts';
import type { Entry } from '../../../../src/shared/transcript.ts';
import { narrow } from '../../../../src/webview/state/entries.ts';
import { createState } from '../../../../src/webview/state/pageState.ts';
import { receive } from '../../../../src/webview/state/receive.ts';
import { panelState, user } from '../../../page/support/states.ts';

type Step =
  | { type: 'add'; fromEnd: number }
  | { type: 'replace' | 'change'; fromEnd: number; count: number }
  | { type: 'load'; where: 'before' | 'after' | number }
  | { type: 'drop'; from: number; to: number }
  | { type: 'deliver' | 'readAll' };

const small = fc.nat(12);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant('add' as const), fromEnd: fc.oneof(fc.constant(0), small) }),
  fc.record({
    type: fc.constantFrom('replace' as const, 'change' as const),
    fromEnd: small,
    count: fc.nat(4),
  }),
  fc.record({
    type: fc.constant('load' as const),
    where: fc.oneof(fc.constantFrom('before' as const, 'after' as const), fc.nat(60)),
  }),
  fc.record({ type: fc.constant('drop' as const), from: fc.nat(8), to: fc.nat(8) }),
  fc.record({ type: fc.constantFrom('deliver' as const, 'readAll' as const) }),
);

const stretch = 10;

describe('the window of entries', () => {
  it('shows a stretch of the conversation, whatever comes while entries are asked for', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.nat(40), (steps, count) => {
        let made = 0;
        const make = () => user(`${++made}`, 'Words');
        /** The host's state, and its events that haven't reached the page. */
        const entries: Entry[] = Array.from({ length: count }, make);
        const said: ToPage[] = [];
        const of = (from: number, to: number) => {
          const first = Math.min(Math.max(0, from), entries.length);
          return { first, entries: entries.slice(first, Math.max(first, to)), total: entries.length };
        };
        const state = createState();
        receive(state, { type: 'stateReplaced', state: panelState(of(count - stretch, count)) });
        let requests = 0;
        let unread = 7;
        const load = (from: number, to: number, where: 'beside' | 'elsewhere') => {
          const requestId = ++requests;
          state.loading.value = { requestId, where };
          said.push({ type: 'entriesLoaded', requestId, ...of(from, to) });
        };
        const deliver = () => {
          for (const message of said.splice(0)) receive(state, message);
          const first = state.first.peek();
          const ids = state.items.peek().map(({ id }) => id);
          assert.equal(state.total.peek(), entries.length);
          assert.deepEqual(
            ids,
            entries.slice(first, first + ids.length).map(({ id }) => id),
          );
        };
        for (const each of steps) {
          const place = 'fromEnd' in each ? Math.max(0, entries.length - each.fromEnd) : 0;
          const [first, end] = [state.first.peek(), state.first.peek() + state.items.peek().length];
          switch (each.type) {
            case 'add': {
              const entry = make();
              entries.splice(place, 0, entry);
              said.push({ type: 'entryAdded', entry, index: place, total: entries.length });
              break;
            }
            case 'change': {
              const entry = entries[place];
              if (entry) said.push({ type: 'entryAdded', entry, index: place, total: entries.length });
              break;
            }
            case 'replace': {
              const others = Array.from({ length: each.count }, make);
              entries.splice(place, Infinity, ...others);
              said.push({ type: 'entriesReplaced', from: place, entries: others });
              break;
            }
            case 'load':
              if (each.where === 'before') load(first - stretch, first, 'beside');
              else if (each.where === 'after') load(end, end + stretch, 'beside');
              else load(each.where, each.where + stretch, 'elsewhere');
              break;
            case 'drop': {
              const { length } = state.items.peek();
              const from = Math.min(each.from, length);
              narrow(state, from, Math.max(from, length - each.to));
              break;
            }
            case 'readAll': {
              const earlier = Array.from({ length: unread }, make);
              entries.unshift(...earlier);
              said.push({ type: 'entriesShifted', by: unread });
              unread = 0;
              break;
            }
            case 'deliver':
              deliver();
          }
        }
        deliver();
        // Whatever the order was, a new request is answered.
        load(0, stretch, 'elsewhere');
        deliver();
        assert.deepEqual(state.loading.peek(), undefined);
        const shown = new Set(state.items.peek().map(({ id }) => id));
        for (const { id } of entries.slice(0, stretch)) assert.ok(shown.has(id));
      }),
    );
  });
});
