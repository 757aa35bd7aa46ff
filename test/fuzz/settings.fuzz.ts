import assert from 'node:assert/strict';
import fc from 'fast-check';
import manifest from '../../package.json' with { type: 'json' };
import type { JsonSchema } from '../../src/base/jsonSchema.ts';
import { readSetting, settingSchemas, type SettingName } from '../../src/settings/readSetting.ts';
import type { SettingLayers } from '../../src/settings/settingLayers.ts';
import { requestHeaders } from '../../src/relay/headers.ts';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const declared = settingSchemas(manifest) as Readonly<
  Record<SettingName, JsonSchema & { default?: unknown }>
>;
const names = Object.keys(declared) as SettingName[];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** True if the editor's settings page accepts the value. */
function accepts(schema: JsonSchema, value: unknown): boolean {
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const isOfType = types?.some((type) =>
    type === 'integer' ? Number.isInteger(value) : type === typeOf(value),
  );
  if (isOfType === false) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if ('const' in schema && schema.const !== value) return false;
  if (schema.oneOf && schema.oneOf.filter((each) => accepts(each, value)).length !== 1) return false;
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
    return value >= minimum && value <= maximum && value > exclusiveMinimum;
  }
  if (typeof value === 'string') return value.length >= (schema.minLength ?? 0);
  if (Array.isArray(value)) return value.every((each) => !schema.items || accepts(schema.items, each));
  if (typeof value !== 'object' || value === null) return true;
  if (schema.required?.some((name) => !Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, each]) => {
    const own = schema.properties?.[name];
    if (own) return accepts(own, each);
    const { additionalProperties = true } = schema;
    return typeof additionalProperties === 'boolean'
      ? additionalProperties
      : accepts(additionalProperties, each);
  });
}

function near(schema: JsonSchema): fc.Arbitrary<fc.JsonValue> {
  const of = (inner: JsonSchema | undefined) => (inner ? near(inner) : fc.jsonValue({ maxDepth: 1 }));
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(near));
  if (schema.enum) return fc.constantFrom(...(schema.enum as fc.JsonValue[]));
  if ('const' in schema) return fc.constant(schema.const as fc.JsonValue);
  const kinds = [schema.type ?? 'null'].flat().map((type): fc.Arbitrary<fc.JsonValue> => {
    switch (type) {
      case 'string':
        return hostileText(['a', 'https://a', '**/x'], 3);
      case 'integer':
        return fc.oneof(fc.nat(200), fc.constantFrom(0, 1, 49, 50));
      case 'number':
        return fc.oneof(fc.nat(100), fc.constantFrom(0, 0.5, 2));
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(of(schema.items), { maxLength: 3 });
      case 'object': {
        const { properties, required = [], additionalProperties } = schema;
        if (properties) {
          const fields = Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, near(each)]),
          );
          return fc.record(fields, {
            requiredKeys: [...required],
            noNullPrototype: true,
          });
        }
        const inner = typeof additionalProperties === 'object' ? additionalProperties : undefined;
        return fc.dictionary(fc.constantFrom('edit_file', 'read_file', 'x', 'constructor'), of(inner), {
          noNullPrototype: true,
        });
      }
      default:
        return fc.constant(null);
    }
  });
  return fc.oneof(...kinds);
}

const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<fc.JsonValue>(
    ...[null, '', 0, -1, 0.5, 1e9, [], {}, [null], ['a', 5], { edit_file: 'never' }, true],
  ),
);
const named = fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), near(declared[name])));

const tools = ['edit_file', 'read_file', 'x'];
const ranks = ['allow', 'ask', 'deny'];
const rules = fc.dictionary(fc.constantFrom(...tools, 'constructor'), fc.constantFrom(...ranks), {
  noNullPrototype: true,
});
const lists = fc.array(fc.constantFrom('a', 'b', '**/c'), { maxLength: 3 });
const hostile = fc.oneof(
  rules,
  lists,
  anyValue,
  fc.array(fc.oneof(fc.constantFrom('a', 'd'), anyValue), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom(...tools), fc.oneof(fc.constantFrom(...ranks), anyValue), {
    noNullPrototype: true,
  }),
);
/** Settings that a workspace may only tighten, with the user's own values. */
const tightenedSettings = fc.oneof(
  fc.tuple(fc.constant('tools.approval' as const), rules),
  fc.tuple(
    fc.constantFrom('tools.exclude' as const, 'tools.protected' as const, 'knowledge.exclude' as const),
    lists,
  ),
  fc.tuple(fc.constant('chat.maxToolRounds' as const), fc.integer({ min: 1, max: 60 })),
);

function read(name: SettingName, layers: Partial<SettingLayers>): unknown {
  const all = { defaultValue: declared[name].default, ...layers };
  const merged = all.workspaceFolderValue ?? all.workspaceValue ?? all.globalValue ?? all.defaultValue;
  return readSetting(name, declared[name], all, merged).value;
}

/** Strictness of a rule; without one a tool is at least not allowed. */
function rankOf(value: unknown, tool: string): number {
  const rule = Object.hasOwn(value as object, tool) ? (value as Record<string, string>)[tool] : undefined;
  return rule === undefined ? 0.5 : ranks.indexOf(rule);
}

export const target: Target = {
  'takes every value that the editor takes, as it is': {
    runs: 1500,
    property: fc.property(named, ([name, value]) => {
      fc.pre(accepts(declared[name], value));
      const { value: taken, problem } = readSetting(
        name,
        declared[name],
        { globalValue: value, defaultValue: declared[name].default },
        value,
      );
      assert.equal(problem, undefined);
      assert.deepEqual(
        taken,
        Array.isArray(taken) && typeof taken[0] === 'string' ? [...new Set(value as string[])] : value,
      );
    }),
  },
  'gives a value of the right kind, whatever the settings say': {
    runs: 1500,
    property: fc.property(fc.constantFrom(...names), anyValue, hostile, (name, user, workspace) => {
      const given = read(name, { globalValue: user, workspaceValue: workspace });
      assert.ok(
        accepts({ ...declared[name], oneOf: undefined, items: undefined }, given) ||
          name === 'knowledge.maxFileSizeMb',
        JSON.stringify(given),
      );
    }),
  },
  'lets a workspace tighten rules and never loosen them, whatever it says': {
    runs: 3000,
    property: fc.property(
      tightenedSettings,
      hostile,
      fc.option(hostile, { nil: undefined }),
      ([name, user], workspaceValue, workspaceFolderValue) => {
        const alone = read(name, { globalValue: user });
        assert.deepEqual(alone, Array.isArray(user) ? [...new Set(user)] : user);
        const together = read(name, { globalValue: user, workspaceValue, workspaceFolderValue });
        if (name === 'tools.approval') {
          for (const tool of tools) assert.ok(rankOf(together, tool) >= rankOf(user, tool), tool);
        } else if (name === 'chat.maxToolRounds') assert.ok(Number(together) <= user);
        else for (const glob of user as string[]) assert.ok((together as string[]).includes(glob), glob);
      },
    ),
  },
  'keeps what can be read of a list or of rules in which something cannot': {
    runs: 1000,
    property: fc.property(lists, anyValue, fc.nat(), (list, wrong, at) => {
      fc.pre(typeof wrong !== 'string');
      const place = at % (list.length + 1);
      const given = read('tools.exclude', {
        globalValue: [...list.slice(0, place), wrong, ...list.slice(place)],
      });
      for (const glob of list) assert.ok((given as string[]).includes(glob));
      const approval = read('tools.approval', { globalValue: { edit_file: 'deny', x: wrong } });
      assert.equal(rankOf(approval, 'edit_file'), 2);
      assert.ok(rankOf(approval, 'x') >= 0.5);
    }),
  },
  'puts nothing into a request but what was meant, by headers of any kind': {
    runs: 1500,
    property: fc.property(
      fc.dictionary(
        hostileText(['Authorization', 'host', 'X-Team', 'content-length', ' ', ':'], 3),
        hostileText(['v', 'Bearer x', '${secret:a}'], 3),
        {
          noNullPrototype: true,
        },
      ),
      (headers) => {
        let made: Record<string, string>;
        try {
          made = requestHeaders({ key: 'sk-own', headers }, { accept: 'application/json', hasBody: true });
        } catch (error) {
          assert.ok(error instanceof SwitchboardError);
          return;
        }
        assert.equal(made['authorization'], 'Bearer sk-own');
        assert.equal(made['content-type'], 'application/json');
        for (const name of ['host', 'content-length', 'transfer-encoding', 'connection'])
          assert.ok(!(name in made));
        // Throws for values that could begin another header.
        const list = new Headers(made);
        assert.equal([...list].length, Object.keys(made).length);
      },
    ),
  },
};
