import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolCall } from '../../src/relay/messages.ts';
import { ToolCallAssembler } from '../../src/relay/toolCallAssembler.ts';
import type { ToolCallFragment } from '../../src/relay/protocols/wire.ts';
import { cutText, places } from './inputs.ts';
import type { Target } from './property.ts';

function assemble(fragments: readonly ToolCallFragment[]): ToolCall[] {
  let made = 0;
  const assembler = new ToolCallAssembler(() => `made_${++made}`);
  for (const fragment of fragments) assembler.add(fragment);
  return assembler.finish();
}

interface Call {
  name: string;
  input: Record<string, string>;
  cuts: number[];
}

const calls: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    name: fc.constantFrom('read_file', 'list', 'x'),
    input: fc.dictionary(fc.constantFrom('path', 'line', 'é'), fc.string(), { noNullPrototype: true }),
    cuts: places,
  }),
  { maxLength: 6 },
);

/** How vendors split calls: the fields of each piece beside its part of the arguments. */
const dialects: Record<string, (call: Call, place: number) => ToolCallFragment[]> = {
  'an index, and the id once': ({ name, input, cuts }, index) => [
    { index, id: `id${index}`, name, arguments: '' },
    ...cutText(JSON.stringify(input), cuts).map((piece) => ({ index, arguments: piece })),
  ],
  'an index that begins anywhere': ({ name, input, cuts }, place) =>
    cutText(JSON.stringify(input), cuts).map((piece, at) => ({
      index: 7 + place * 3,
      ...(at === 0 && { id: `id${place}`, name }),
      arguments: piece,
    })),
  'everything with each piece': ({ name, input, cuts }, index) =>
    cutText(JSON.stringify(input), cuts).map((piece) => ({
      index,
      id: `id${index}`,
      name,
      arguments: piece,
    })),
  'always index 0, and a new id for each call': ({ name, input, cuts }, place) => [
    { index: 0, id: `id${place}`, name },
    ...cutText(JSON.stringify(input), cuts).map((piece) => ({
      index: 0,
      id: '',
      name: '',
      arguments: piece,
    })),
  ],
  'no index': ({ name, input, cuts }, place) => [
    { id: `id${place}`, name, arguments: '' },
    ...cutText(JSON.stringify(input), cuts).map((piece) => ({ arguments: piece })),
  ],
  'no index, and the id with each piece': ({ name, input, cuts }, place) =>
    cutText(JSON.stringify(input), cuts).map((piece) => ({ id: `id${place}`, name, arguments: piece })),
  'the arguments as an object': ({ name, input }, place) => [
    { index: 0, id: `id${place}`, name, arguments: input },
  ],
};
/** Dialects whose pieces can be told apart when several calls are interleaved. */
const canBeMixed = [
  'an index, and the id once',
  'an index that begins anywhere',
  'everything with each piece',
];

export const target: Target = {
  'gives back the calls that were sent, in every dialect': {
    runs: 2500,
    property: fc.property(
      calls,
      fc.constantFrom(...Object.keys(dialects)),
      fc.boolean(),
      (list, dialect, isMixed) => {
        const sent = list.map((call, place) => dialects[dialect]!(call, place));
        const longest = Math.max(0, ...sent.map((pieces) => pieces.length));
        const mixed = Array.from({ length: longest }, (_, at) =>
          sent.flatMap((pieces) => pieces.slice(at, at + 1)),
        );
        const fragments = (isMixed && canBeMixed.includes(dialect) ? mixed : sent).flat();
        assert.deepEqual(
          assemble(fragments),
          list.map(({ name, input }, place) => ({
            id: `id${place}`,
            name,
            arguments: JSON.stringify(input),
          })),
        );
      },
    ),
  },
  'loses no piece of arguments and gives each call an id of its own, whatever comes': {
    runs: 2500,
    property: fc.property(
      fc.array(
        fc.record(
          {
            index: fc.oneof(fc.nat(3), fc.constantFrom(-1, 0.5, 1e9)),
            id: fc.constantFrom('a', 'b', ''),
            name: fc.constantFrom('x', 'y', ''),
            arguments: fc.oneof(fc.string(), fc.constant({ x: 1 })),
          },
          { requiredKeys: [] },
        ),
      ),
      (fragments: ToolCallFragment[]) => {
        const made = assemble(fragments);
        assert.ok(made.every(({ id }) => id !== ''));
        assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
        assert.ok(made.length <= fragments.length);
        const inOrder = fragments.flatMap(({ arguments: given }) =>
          typeof given === 'string' ? [given] : [],
        );
        const kept = made.map((call) => call.arguments).join('');
        // An object is the whole arguments of its call; pieces before it are dropped.
        if (!fragments.some(({ arguments: given }) => typeof given === 'object')) {
          assert.equal(kept.length, inOrder.join('').length);
        }
      },
    ),
  },
};
