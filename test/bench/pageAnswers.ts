// Answers of 60 KB as models write them: a mixed one, and one of each kind that is a single block.
const size = 60_000;

function repeated(part: (index: number) => string, before = '', after = ''): string {
  let text = before;
  for (let index = 0; text.length < size; index++) text += part(index);
  return text + after;
}

const section = (index: number) => `## Step ${index + 1}: take **care** of \`part${index}\`

The parser keeps *one token* of lookahead, so [peek](https://example.com/${index}) must not consume anything. 語彙解析器は
一つ先を読む。 Each of these has its own reason, which the next paragraphs explain in as many words as it takes.

- the lexer returns a tagged token
  - with its position
  - and its length
- the parser asks for it lazily

\`\`\`ts
export function step${index}(input: string): number {
  // ${index} is what it starts from
  return input.length + ${index};
}
\`\`\`

| case | before | after |
|---|---:|:-:|
| empty ${index} | 48 ms | **12 ms** |
| long | 480 ms | 120 ms |

`;

export const answers: Record<string, string> = {
  '60 KB mixed': repeated(section),
  'one list': repeated(
    (index) => `- Item ${index} with **bold** text, \`code\` and some more words to fill its line\n`,
  ),
  'one table': repeated(
    (index) => `| row ${index} | **x${index}** | \`code\` | some more words |\n`,
    '| name | value | code | text |\n|---|:-:|---|--:|\n',
  ),
  'one fence': repeated(
    (index) => `const x${index} = await call(input, ${index}); // line\n`,
    '```ts\n',
    '```\n',
  ),
};
