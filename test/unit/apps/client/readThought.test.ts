import assert from 'node:assert/strict';
import { readThought } from '../../../../src/apps/client/appWire.ts';

describe('what an agent did', () => {
  const told = (tool: string, input: unknown, observation: unknown) => {
    const wire = {
      id: 't',
      tool,
      tool_input: JSON.stringify(input),
      observation: JSON.stringify(observation),
    };
    const { toolInput, observation: result } = readThought(wire);
    return [toolInput, result];
  };

  it('is shown without the name of the only tool around it', () => {
    assert.deepEqual(told('tides', { tides: { at: 'noon' } }, { tides: 'High.\nVery.' }), [
      '{"at":"noon"}',
      'High.\nVery.',
    ]);
    assert.deepEqual(told('tides', { tides: {} }, { tides: { high: true } }), ['{}', '{"high":true}']);
  });

  it('is left as it is where the names are needed, or are those of arguments', () => {
    const both = { tides: { at: 'noon' }, winds: {} };
    assert.deepEqual(told('tides;winds', both, both), [JSON.stringify(both), JSON.stringify(both)]);
    assert.deepEqual(told('q', { q: 'npm' }, { npm: 'a manager' }), ['{"q":"npm"}', '{"npm":"a manager"}']);
  });
});
