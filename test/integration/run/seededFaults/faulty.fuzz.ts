import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Target } from '../../../fuzz/property.ts';

/** Found by the runner in its own test. */
export const target: Target = {
  holds: { runs: 50, property: fc.property(fc.nat(), (value) => assert.ok(value >= 0)) },
  'does not hold from 1000 on': {
    runs: 500,
    property: fc.property(fc.nat(), (value) => assert.ok(value < 1000)),
  },
  'is slow': {
    runs: 50,
    property: fc.asyncProperty(fc.nat(), async () => {
      const end = performance.now() + 400;
      while (performance.now() < end) await new Promise(setImmediate);
    }),
  },
  'never ends': {
    runs: 1,
    property: fc.property(fc.nat(), () => {
      for (;;);
    }),
  },
};
