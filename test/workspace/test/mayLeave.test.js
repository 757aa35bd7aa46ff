import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayLeave } from '../src/mayLeave.js';

test('a calm day needs 0.3 m under the keel', () => {
  assert.equal(mayLeave(2.2, 1.8, 2), true);
  assert.equal(mayLeave(2.0, 1.8, 2), false);
});

test('a wind above force 6 needs 0.5 m', () => {
  assert.equal(mayLeave(2.2, 1.8, 7), false);
});

test('force 6 itself is no reason to wait', () => {
  assert.equal(mayLeave(2.2, 1.8, 6), true);
});
