import assert from 'node:assert/strict';
import { schemaProblem, type JsonSchema } from '../../../src/base/jsonSchema.ts';

describe('schemaProblem', () => {
  const list: JsonSchema = { type: 'array', items: { type: 'string', minLength: 1 } };
  const rules: JsonSchema = { type: 'object', additionalProperties: { enum: ['allow', 'deny'] } };
  const named: JsonSchema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, size: { type: ['integer', 'null'], minimum: 1, maximum: 5 } },
    additionalProperties: false,
  };
  const either: JsonSchema = {
    type: 'object',
    oneOf: [{ properties: { mode: { const: 'a' } } }, { ...named, properties: { mode: { const: 'b' } } }],
  };
  const cases: [schema: JsonSchema, value: unknown, problem?: string][] = [
    [list, ['a', 'b']],
    [list, 'a', 'expected array'],
    [list, ['a', 5], 'expected string at [1]'],
    [list, ['a', ''], 'too short at [1]'],
    [rules, { edit_file: 'deny' }],
    [rules, { edit_file: 'never' }, 'expected one of allow, deny at edit_file'],
    [rules, { constructor: 5 }, 'expected one of allow, deny at constructor'],
    [rules, [], 'expected object'],
    [rules, null, 'expected object'],
    [named, { id: 'x', size: null, other: 1 }],
    [named, { size: 1 }, 'expected a property id'],
    [named, { id: 'x', size: 0 }, 'too small at size'],
    [named, { id: 'x', size: 6 }, 'too large at size'],
    [named, { id: 'x', size: 1.5 }, 'expected integer or null at size'],
    [{ type: 'array', items: named }, [{ id: 5 }], 'expected string at [0].id'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'too small'],
    [{ type: 'boolean' }, 'true', 'expected boolean'],
    [either, { mode: 'a' }],
    [either, { mode: 'b', id: 1 }],
    [either, { mode: 'b' }, 'expected a at mode, or expected a property id'],
    [{}, undefined],
  ];
  for (const [schema, value, problem] of cases) {
    it(`finds ${problem ?? 'nothing wrong'} in ${JSON.stringify(value)}`, () =>
      assert.equal(schemaProblem(schema, value), problem));
  }
});
