function repeated(part: string, length: number, before = ''): string {
  return before + part.repeat(Math.ceil((length - before.length) / part.length));
}

export const hostileTexts: Record<string, (length: number) => string> = {
  'quotes in quotes': (length) => repeated('>', length),
  'quotes in quotes, spaced': (length) => repeated('> ', length),
  'lists in lists': (length) => repeated('* - + ', length),
  'open emphasis': (length) => repeated('a*_b ', length),
  underscores: (length) => repeated('_a', length),
  'address of dots': (length) => repeated('.', length, 'http://a'),
  'base64 with @': (length) => repeated('QUJDabc9+/', length - 1) + '@',
  'open brackets': (length) => repeated('[', length),
  'list items': (length) => repeated('- x\n', length),
  'nested list items': (length) => repeated('  - x\n', length, '- x\n'),
  'task lists in quotes': (length) => repeated('> - [ ] x\n', length),
  'rows of a table': (length) => repeated('| 1 | 2 |\n', length, '| a | b |\n|--|--|\n'),
  'short rows of a wide table': (length) =>
    repeated('|\n', length, `${'|a'.repeat(30)}|\n${'|-'.repeat(30)}|\n`),
  paragraphs: (length) => repeated('a\n\n', length),
  'paragraphs of one item': (length) => repeated('  b\n\n', length, '- a\n\n'),
  'links in paragraphs': (length) => repeated('[a](https://a.example) **b** `c.ts:1`\n\n', length),
  'one line of code': (length) => repeated('x = 1; ', length, '```ts\n'),
  'one word of code': (length) => repeated('x', length, '```ts\n') + '\n```\n',
  'lines of code': (length) => repeated('const a = f(1); // b\n', length, '```ts\n') + '```\n',
  formulas: (length) => repeated('$x_1$ \\(y\\) ', length),
  'formulas in formulas': (length) => repeated(`$$${'\\sqrt{'.repeat(200)}x${'}'.repeat(200)}$$\n\n`, length),
  'named behind their use': (length) => repeated('[a] b\n\n', length) + '[a]: https://a.example\n',
};
