import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ToolCallAssembler } from '../../../src/relay/toolCallAssembler.ts';
import { readAnswer, type ToolCallFragment } from '../../../src/relay/protocols/wire.ts';

function assemble(...fragments: ToolCallFragment[]) {
  let ids = 0;
  const assembler = new ToolCallAssembler(() => `new_${++ids}`);
  for (const fragment of fragments) assembler.add(fragment);
  return assembler.finish();
}

describe('ToolCallAssembler', () => {
  const a = { id: 'a', name: 'read', arguments: '{"x":1}' };
  const b = { id: 'b', name: 'list', arguments: '{}' };

  it('joins fragments by index', () => {
    const calls = assemble(
      { index: 0, id: 'a', name: 'read', arguments: '' },
      { index: 0, arguments: '{"x"' },
      { index: 0, arguments: ':1}' },
      { index: 1, id: 'b', name: 'list', arguments: '{}' },
    );
    assert.deepEqual(calls, [a, b]);
  });

  it('takes indexes with gaps that start anywhere, in the order in which the calls began', () => {
    const calls = assemble(
      { index: 7, id: 'a', name: 'read' },
      { index: 3, id: 'b', name: 'list' },
      { index: 7, arguments: '{"x":1}' },
      { index: 3, arguments: '{}' },
    );
    assert.deepEqual(calls, [a, b]);
  });

  it('opens a call for a new id where the index is always 0', () => {
    const calls = assemble(
      { index: 0, id: 'a', name: 'read', arguments: '{"x"' },
      { index: 0, arguments: ':1}' },
      { index: 0, id: 'b', name: 'list', arguments: '{}' },
    );
    assert.deepEqual(calls, [a, b]);
  });

  it('opens a call for a new id where there is no index, and lets others extend the last', () => {
    const calls = assemble(
      { id: 'a', name: 'read', arguments: '{"x"' },
      { arguments: ':1}' },
      { id: 'b', name: 'list' },
      { arguments: '{}' },
    );
    assert.deepEqual(calls, [a, b]);
  });

  it('takes repeated and emptied ids and names', () => {
    const calls = assemble(
      { index: 0, id: 'a', name: 'read', arguments: '{"x"' },
      { index: 0, id: 'a', name: 'read', arguments: ':1' },
      { index: 0, arguments: '}' },
    );
    assert.deepEqual(calls, [a]);
  });

  it('takes arguments that come as an object, several at one index too', () => {
    const calls = assemble(
      { index: 0, name: 'read', arguments: { x: 1 } },
      { index: 0, name: 'read', arguments: { x: 2 } },
    );
    assert.deepEqual(
      calls.map((call) => call.arguments),
      ['{"x":1}', '{"x":2}'],
    );
  });

  it("keeps further fields of a model's own, whole or in pieces", () => {
    const chunk = (fields: object) =>
      readAnswer({ choices: [{ delta: { tool_calls: [{ index: 0, ...fields }] } }] });
    const fragments = [
      chunk({
        id: 'a',
        type: 'function',
        function: { name: 'read', arguments: '{"x":1}' },
        extra_content: { google: 1 },
      }),
      chunk({ function: { arguments: '', strict: true }, provider_specific_fields: { y: 2 }, nothing: null }),
    ].flatMap(({ toolCalls = [] }) => toolCalls);
    const extra = {
      extra_content: { google: 1 },
      provider_specific_fields: { y: 2 },
      function: { strict: true },
    };
    assert.deepEqual(assemble(...fragments), [{ ...a, extra }]);
  });

  it('makes ids that are missing or used twice', () => {
    const calls = assemble(
      { index: 0, name: 'read' },
      { index: 1, id: 'a', name: 'read' },
      { index: 2, id: 'a', name: 'read' },
    );
    assert.deepEqual(
      calls.map((call) => call.id),
      ['new_1', 'a', 'new_2'],
    );
  });

  it('leaves out what is neither named nor has arguments', () => {
    assert.deepEqual(assemble({ index: 0, id: 'a' }, { index: 1, id: 'b', name: 'list' }), [
      { ...b, arguments: '' },
    ]);
  });

  it('gives back any calls, cut into any fragments and interleaved by index', () => {
    const call = fc.record({ name: fc.string({ minLength: 1 }), arguments: fc.string(), index: fc.nat(50) });
    fc.assert(
      fc.property(
        fc.uniqueArray(call, { selector: ({ index }) => index, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        (calls, size) => {
          const fragments = calls.map(({ name, arguments: text, index }, n): ToolCallFragment[] => [
            { index, id: `id${n}`, name },
            ...(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((piece) => ({
              index,
              arguments: piece,
            })),
          ]);
          const longest = Math.max(0, ...fragments.map((list) => list.length));
          const interleaved = Array.from({ length: longest }, (_, at) =>
            fragments.flatMap((list) => list.slice(at, at + 1)),
          ).flat();
          assert.deepEqual(
            assemble(...interleaved),
            calls.map(({ name, arguments: text }, n) => ({ id: `id${n}`, name, arguments: text })),
          );
        },
      ),
    );
  });

  it('gives every call an id of its own, whatever comes', () => {
    const fragment = fc.record(
      {
        index: fc.nat(3),
        id: fc.constantFrom('a', 'b', ''),
        name: fc.constantFrom('x', 'y', ''),
        arguments: fc.oneof(fc.string(), fc.constant({ x: 1 })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fragment), (fragments) => {
        const ids = assemble(...fragments).map(({ id }) => id);
        assert.ok(ids.every(Boolean));
        assert.equal(new Set(ids).size, ids.length);
      }),
    );
  });
});
