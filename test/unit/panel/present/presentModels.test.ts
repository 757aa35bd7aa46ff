import assert from 'node:assert/strict';
import { toModels } from '../../../../src/panel/present/presentModels.ts';

describe('what the picker is told of models', () => {
  it('is which of them are not for chat', () => {
    const { options } = toModels(
      {
        state: 'ready',
        models: [
          { id: 'a', name: 'a' },
          { id: 'b', name: 'b', kind: 'chat' },
          { id: 'c', name: 'c', kind: 'other' },
        ],
      },
      {
        ...{ apps: [], favourites: [], recent: [], selectedId: undefined },
        callsTools: () => false,
        isUnlisted: () => false,
        missingRelay: () => undefined,
        nameOf: (id) => id,
      },
    );
    assert.deepEqual(
      options.map(({ kind }) => kind),
      [undefined, undefined, 'other'],
    );
  });
});
