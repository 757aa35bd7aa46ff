import assert from 'node:assert/strict';
import { processorMs } from '../../../support/processorTime.ts';
import { findCodePlaces } from '../../../../src/chat/codeBlocks/codePlaces.ts';

const cart = `import { price } from './price.js';

/** Adds up. */
export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += price(item);
  }
  return sum;
}

export class Cart {
  constructor() {
    this.items = [];
  }

  add(item) {
    this.items.push(item);
  }

  remove(item) {
    this.items = this.items.filter((each) => each !== item);
  }
}
`;

describe('the place of a code block in a file', () => {
  const applied = (text: string, code: string, language = 'js') => {
    const found = findCodePlaces(text, code, language);
    return found.type === 'certain' ? found.place.after : found.type;
  };

  it('is the function that it declares, however much of it is new', () => {
    const code =
      'export function total(items) {\n  return items.reduce((sum, item) => sum + price(item), 0);\n}';
    assert.equal(
      applied(cart, code),
      cart.replace(/export function total[^]*?\n\}/, () => code),
    );
  });

  it('is the declaration of the same name where its first line changed, with its comment where it brings one', () => {
    const code =
      '/** Adds up, with a start. */\nexport function total(items, start = 0) {\n  return start;\n}';
    const after = applied(cart, code);
    assert.equal(
      after,
      cart.replace(/\/\*\* Adds up\. \*\/\nexport function total[^]*?\n\}/, () => code),
    );
    const bare = 'export function total(items, start = 0) {\n  return start;\n}';
    assert.ok(applied(cart, bare).includes(`/** Adds up. */\n${bare}\n\nexport class`));
  });

  it('is indented as the file is, by spaces or tabs', () => {
    const code = 'add(item) {\n  if (item) {\n    this.items.push(item);\n  }\n}';
    assert.ok(
      applied(cart, code).includes(
        '  add(item) {\n    if (item) {\n      this.items.push(item);\n    }\n  }\n\n  remove',
      ),
    );
    const tabs = cart.replace(/^( {2})+/gm, (indent) => '\t'.repeat(indent.length / 2));
    assert.ok(applied(tabs, code).includes('\tadd(item) {\n\t\tif (item) {\n\t\t\tthis.items.push(item);\n'));
  });

  it('is the whole file for a new version of all of it', () => {
    const code = cart.replace('let sum = 0', 'let sum = 1').replace('push', 'unshift');
    assert.equal(applied(cart, code), code);
    assert.equal(applied('', 'a();'), 'a();\n');
  });

  it('is lines that begin and end alike', () => {
    const near =
      '  let sum = 0;\n  for (const item of items) {\n    sum += 2 * price(item);\n  }\n  return sum;';
    assert.equal(applied(cart, near), cart.replace('sum += price', 'sum += 2 * price'));
  });

  it('is each part between marks for what is omitted', () => {
    const code = [
      'export class Cart {',
      '  // ... existing code ...',
      '',
      '  add(item, count) {',
      '    this.items.push([item, count]);',
      '  }',
      '',
      '  // ... existing code ...',
      '}',
    ].join('\n');
    assert.equal(applied(cart, code), 'possible');
    const known = code.replace('\n}', '').replace('\n\n  // ... existing code ...', '\n  // ... rest ...');
    assert.equal(
      applied(cart, known),
      cart.replace(
        'add(item) {\n    this.items.push(item);',
        'add(item, count) {\n    this.items.push([item, count]);',
      ),
    );
  });

  it('is each of several declarations that the file has, and none if one is new', () => {
    const code = 'function a() {\n  return 1;\n}\n\n// b\nfunction b() {\n  return 2;\n}';
    const file = 'function a() {\n}\n\nfunction c() {\n}\n\n// old\nfunction b() {\n}\n';
    assert.equal(
      applied(file, code),
      'function a() {\n  return 1;\n}\n\nfunction c() {\n}\n\n// b\nfunction b() {\n  return 2;\n}\n',
    );
    assert.equal(applied(file, code.replaceAll('b', 'z')), 'possible');
  });

  it('is where the hunks of a diff are', () => {
    const diff =
      '@@ -4,3 +4,4 @@\n export function total(items) {\n-  let sum = 0;\n+  let sum = 1;\n+  check();\n';
    assert.equal(applied(cart, diff, 'diff'), cart.replace('let sum = 0;', 'let sum = 1;\n  check();'));
    assert.equal(applied(cart + cart, diff, 'diff'), 'possible');
  });

  it('is a Python function by its indentation alone', () => {
    const file = 'class A:\n    def run(self):\n        return 1\n\n    def stop(self):\n        pass\n';
    const code = 'def run(self):\n    x = 2\n    return x';
    assert.equal(
      applied(file, code, 'python'),
      file.replace('        return 1', '        x = 2\n        return x'),
    );
  });

  it('is not certain where two places fit or none does', () => {
    const twice = 'class A {\n  run() {\n    a();\n  }\n}\nclass B {\n  run() {\n    b();\n  }\n}\n';
    const found = findCodePlaces(twice, 'run() {\n  c();\n}');
    assert.ok(found.type === 'possible');
    assert.deepEqual(
      found.places.map(({ from, to }) => [from, to]),
      [
        [1, 4],
        [6, 9],
      ],
    );
    assert.deepEqual(findCodePlaces(cart, 'function brandNew() {}\n'), { type: 'possible', places: [] });
    assert.deepEqual(findCodePlaces(cart, '}\n'), { type: 'same' });
  });

  it('is none where the code is there already, and keeps the line ends of the file', () => {
    const windows = cart.replaceAll('\n', '\r\n');
    assert.equal(applied(windows, 'this.items = [];'), 'same');
    const code = 'export function total(items) {\n  return 0;\n}';
    const after = applied(windows, code);
    assert.equal(after.replaceAll('\r\n', '').includes('\n'), false);
    assert.ok(after.includes('return 0;\r\n}'));
  });

  it('keeps spreads, which begin with dots like omissions', () => {
    const file = 'const a = {\n  b: 1,\n};\n';
    assert.equal(
      applied(file, 'const a = {\n  ...base,\n  b: 1,\n};'),
      'const a = {\n  ...base,\n  b: 1,\n};\n',
    );
  });

  it('is found in a time that does not explode with the file', () => {
    for (const [text, code] of [
      [
        'return x;\n  value = 1;\n'.repeat(20_000),
        'return x;\n  value = 2;\nlast();\n  value = 1;'.repeat(200),
      ],
      ['x();\n'.repeat(40_000), `${'x();\n'.repeat(2000)}y();`],
      ['function f() {\n}\n'.repeat(20_000), 'function g() {\n}\n'.repeat(2000)],
      ['a\n'.repeat(40_000), '// ...\na\nb\n'.repeat(2000)],
    ] as const)
      assert.ok(processorMs(() => findCodePlaces(text, code)) < 3000);
  });
});
