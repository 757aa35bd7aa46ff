const code: readonly (readonly [string, readonly string[]])[] = [
  [
    'typescript',
    ['export function area(width: number, height: number): number {', '  return width * height;', '}'],
  ],
  [
    'python',
    ['def area(width: float, height: float) -> float:', '    """Multiply."""', '    return width * height'],
  ],
  ['rust', ['fn area(width: f64, height: f64) -> f64 {', '    width * height', '}']],
  ['sql', ['SELECT name, width * height AS area', 'FROM rooms', 'WHERE width > 3;']],
  ['bash', ['for file in *.md; do', '  wc -l "$file"', 'done']],
  ['json', ['{ "width": 3, "height": 4, "tags": ["a", "b"] }']],
  ['css', ['.room { inline-size: 3rem; }', '.room:hover { color: teal; }']],
  ['html', ['<p class="room">3 &times; 4</p>']],
];

/** Exactly this many lines of headings, prose with links, nested lists, tables, code in several languages. */
export function longText(lines: number): string {
  const all: string[] = [];
  for (let part = 1; all.length < lines; part += 1) all.push(...section(part));
  const cut = all.slice(0, lines);
  // A fence left open by the cut would swallow the content after the answer.
  const fences = cut.filter((line) => line.startsWith('```')).length;
  if (fences % 2 === 1) cut[cut.length - 1] = '```';
  return `${cut.join('\n')}\n`;
}

function section(part: number): string[] {
  const [language, source] = code[part % code.length]!;
  return [
    `## Part ${part}: rooms`,
    '',
    `This is part ${part} of a text that a *scripted* model writes. It has **bold words**, \`inline code\`, ~~a mistake~~ and a [link](https://example.com/rooms/${part}).`,
    '',
    `- Room ${part}a`,
    '  - a window to the north',
    '    - with a `latch`',
    '  - a door',
    `- Room ${part}b`,
    '',
    '1. Measure the width.',
    '2. Measure the height.',
    '3. Multiply.',
    '',
    '| room | width | height | area |',
    '|:-----|------:|-------:|-----:|',
    ...[1, 2, 3].map((n) => `| ${part}.${n} | ${n + 2} | ${part + n} | ${(n + 2) * (part + n)} |`),
    '',
    `\`\`\`${language}`,
    ...source,
    '```',
    '',
    '> A room is what is left when the walls are finished.',
    '',
  ];
}
