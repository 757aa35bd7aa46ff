import assert from 'node:assert/strict';
import fc from 'fast-check';
import type * as z from 'zod/mini';
import { createChannel } from '../../src/shared/channel.ts';
import { toHostSchema, toPageSchema } from '../../src/shared/protocol.ts';
import { valuesOf } from './fromSchema.ts';
import { hostileText, spoilt } from './inputs.ts';
import type { Target } from './property.ts';

function border(schema: z.ZodMiniType) {
  const passed: unknown[] = [];
  const refused: string[] = [];
  let receive = (_data: unknown): void => {
    throw new Error('nobody listens');
  };
  const channel = createChannel(
    schema,
    () => {},
    (listener) => (receive = listener),
    (reason) => refused.push(reason),
  );
  channel.listen((message) => passed.push(message));
  return { receive: (data: unknown) => receive(data), passed, refused };
}

const texts = hostileText(['src/a.ts', '../', 'command:x', 'https://a', '__proto__'], 5);
const sides = { 'to the host': toHostSchema, 'to the page': toPageSchema };
const messages = Object.fromEntries(
  Object.entries(sides).map(([side, schema]) => [side, valuesOf(schema, texts)]),
);
const side = fc.constantFrom(...(Object.keys(sides) as (keyof typeof sides)[]));

/** Values that postMessage can carry and JSON cannot. */
const notJson = fc.constantFrom<unknown>(
  ...[
    undefined,
    Number.NaN,
    Infinity,
    new Date(0),
    new Map([['type', 'ready']]),
    new Uint8Array(3),
    /x/,
    10n,
  ],
  circular(),
);

function circular(): unknown {
  const value: Record<string, unknown> = { type: 'sendMessage' };
  value['text'] = value;
  return value;
}

/** Asserts that every field passed on, at any depth, is in the input: none made up, none inherited. */
function assertPartOf(passed: unknown, given: unknown): void {
  if (typeof passed !== 'object' || passed === null) {
    assert.ok(Object.is(passed, given));
    return;
  }
  assert.ok(typeof given === 'object' && given !== null);
  assert.equal(Array.isArray(passed), Array.isArray(given));
  assert.equal(Object.getPrototypeOf(passed), Array.isArray(passed) ? Array.prototype : Object.prototype);
  for (const [name, value] of Object.entries(passed)) {
    assert.ok(Object.hasOwn(given, name), name);
    assertPartOf(value, (given as Record<string, unknown>)[name]);
  }
}

/** Either outcome, exactly once; a passed message passes again unchanged. */
function assertJudged(schema: z.ZodMiniType, data: unknown): boolean {
  const { receive, passed, refused } = border(schema);
  receive(data);
  assert.equal(passed.length + refused.length, 1);
  if (refused.length > 0) return false;
  assertPartOf(passed[0], data);
  const again = border(schema);
  again.receive(passed[0]);
  assert.deepEqual(again.passed, passed);
  return true;
}

export const target: Target = {
  'passes on what is of the protocol, as it is': {
    runs: 2500,
    property: fc.property(
      side.chain((which) => fc.tuple(fc.constant(which), messages[which]!)),
      ([which, message]) => {
        const { receive, passed } = border(sides[which]);
        receive(structuredClone(message));
        assert.deepEqual(passed, [message]);
      },
    ),
  },
  'refuses everything else, or passes on the part that is of the protocol': {
    runs: 3000,
    property: fc.property(
      side.chain((which) => fc.tuple(fc.constant(which), fc.oneof(spoilt(messages[which]!), fc.jsonValue()))),
      ([which, data]) => void assertJudged(sides[which], data),
    ),
  },
  'takes nothing from what is no JSON, at any place': {
    runs: 1500,
    property: fc.property(
      side.chain((which) => fc.tuple(fc.constant(which), messages[which]!)),
      fc.nat(),
      notJson,
      ([which, message], at, value) => {
        assert.equal(assertJudged(sides[which], value), false);
        const copy = structuredClone(message) as Record<string, unknown>;
        const names = Object.keys(copy);
        copy[names[at % names.length] ?? 'type'] = value;
        assertJudged(sides[which], copy);
      },
    ),
  },
};
