import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { root } from '../../host/paths.ts';
import { drawFolders, readSources } from '../../run/imports.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/servers/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.split(sep).join('/')}`),
];

/** Heading anchors like those of repository sites. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

/** Names of commands and buttons stand in italics, those for the palette in bold. */
const namedInGuide = /(?<!\*)\*{1,2}((?<!\*\*)[^*\n]+|Switchboard: [^*\n]+|[^*\n]+…)\*{1,2}(?!\*)/g;
/** In the editor, a console or a key; and names that have an object in them. */
const namesOfOthers = new Set([
  ...['Trigger Inline Suggestion', 'Manage Models…', 'Settings > Chats', 'API Access', 'F2'],
  ...['Change …', 'Run …', '2 lines removed'],
]);

describe('the documents of the repository', () => {
  it('draw the folders as they import each other', async () => {
    const [, drawn] = /```mermaid\n([^`]*)\n```/.exec(read('docs/architecture.md')) ?? [];
    assert.equal(drawn, drawFolders(await readSources()));
  });

  it('have figures that are right by a tenth', async () => {
    const sources = await readSources();
    const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
    const faults = readdirSync(join(root, 'test', 'mutation'))
      .map((name) => JSON.parse(read(`test/mutation/${name}`)) as unknown[])
      .reduce((sum, { length }) => sum + length, 0);
    const figures: [written: RegExp, real: number][] = [
      [/about ([\d,]+) files and/, sources.length],
      [/ and ([\d,]+) lines of TypeScript/, lines],
      [/about ([\d,]+) faults/, faults],
    ];
    const text = read('docs/architecture.md') + read('CONTRIBUTING.md');
    for (const [written, real] of figures) {
      const figure = Number(written.exec(text)?.[1]?.replace(',', ''));
      assert.ok(Math.abs(figure / real - 1) < 0.1, `${written}: ${figure}, really ${real}`);
    }
  });

  for (const path of documents) {
    it(`name files that are there: ${path}`, () => {
      const named = [...read(path).matchAll(/`((?:src|test|docs|media)\/[\w./-]*\w)`/g)].map(
        ([, name = '']) => name,
      );
      const missing = named.filter(
        (name) =>
          !['', '.ts', '.test.ts', '.fuzz.ts', '.json'].some((ending) =>
            existsSync(join(root, name + ending)),
          ),
      );
      assert.deepEqual(missing, []);
    });

    it(`link to files and headings that are there: ${path}`, () => {
      const text = read(path).replaceAll(/`[^`\n]*`/g, '');
      const links = [...text.matchAll(/(?<=\]\(|<img src=")(?!\w+:)[^)"]+/g)].map(([link]) => link);
      const broken = links.filter((link) => {
        const [target = '', anchor] = link.split('#');
        const file = target === '' ? path : posix.join(posix.dirname(path), target);
        return (
          !existsSync(join(root, file)) || (anchor !== undefined && !anchorsOf(read(file)).includes(anchor))
        );
      });
      assert.deepEqual(broken, []);
    });
  }

  it("tell in the guide of each setting that no workspace can set that it is the user's alone", () => {
    const { contributes } = JSON.parse(read('package.json')) as {
      contributes: { configuration: { properties: Record<string, { scope?: string }> }[] };
    };
    const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
    const rows = [...read('docs/guide/settings.md').matchAll(/^\| (`.+?`) \| (.+) \|$/gm)];
    const told = rows.flatMap(([, names = '', text = '']) =>
      text.includes('user settings only') ? names.match(/(?<=`)[\w.]+/g) : [],
    );
    const ofUser = settings.flatMap(([name, { scope }]) =>
      scope === 'application' ? name.replace('switchboard.', '') : [],
    );
    assert.deepEqual(new Set(told), new Set(ofUser));
  });

  it('name in the guide only commands, buttons and menus that are there', () => {
    const texts = ['package.nls.json', 'media/l10n/bundle.l10n.zh-cn.json'].flatMap((path) =>
      Object.entries(JSON.parse(read(path)) as Record<string, string>),
    );
    const known = texts.flat().join('\n');
    const missing = documents
      .filter((path) => path.startsWith('docs/guide/'))
      .flatMap((path) => [
        ...read(path)
          .replace(/^```[^]*?^```|`[^`\n]*`/gm, '')
          .matchAll(namedInGuide),
      ])
      .map(([, name = '']) => name.replace(/^Switchboard(?: >|:) /, ''))
      .filter((name) => !known.includes(name) && !namesOfOthers.has(name));
    assert.deepEqual(missing, []);
  });

  /** For each of the eight questions, a pattern for the answer in the named file. */
  const answers: [question: RegExp, holds: RegExp][] = [
    [/event .* stored/, /class FileChatStore[\s\S]*appendLine/],
    [/after a 429/, /class Retries/],
    [/path refused/, /class FilePolicy[\s\S]*refuse\(/],
    [/shown as a diff/, /'vscode\.diff'/],
    [/key bound to its server/, /interface KeySlot[\s\S]*origin/],
    [/field .* checked/, /function checkAnswers/],
    [/indexing polled/, /class IndexingPoller/],
    [/idle stream ended/, /class ResponseTimeouts[\s\S]*idleMs/],
  ];
  it('answer eight questions with the file that holds the answer', () => {
    const table = [...read('CONTRIBUTING.md').matchAll(/^\| (.+) \| `(src\/[\w./]+)` \|$/gm)];
    assert.equal(table.length, answers.length);
    for (const [index, [, question = '', file = '']] of table.entries()) {
      const [asked, holds] = answers[index] ?? [];
      assert.match(question, asked ?? /^$/);
      assert.match(read(file), holds ?? /^$/, `${question}: ${file}`);
    }
  });

  it('are cited by comments only with sections that are there', async () => {
    const cited = (await readSources()).flatMap(({ path, text }) =>
      [...text.matchAll(/\b([a-z-]+\.md) (\d[\d., toand]*)/g)].flatMap(([, name = '', sections = '']) =>
        (sections.match(/\d+(?:\.\d+)?/g) ?? []).map((section) => ({ path, name, section })),
      ),
    );
    assert.ok(cited.length > 0);
    assert.deepEqual(
      cited.filter(({ name, section }) => {
        const file = join(root, 'docs', name);
        return !existsSync(file) || !new RegExp(`^#+ ${section}\\.? `, 'm').test(readFileSync(file, 'utf8'));
      }),
      [],
    );
  });

  it('are all that is cited: no sections of a text that is not in the repository', async () => {
    const foreign =
      /§|\b[Ss]ections? \d|\b(?:design|spec|language|style)\.md\b|^\W+E\d\b|of the reference\b/m;
    const texts = [
      ...(await readSources()).map(({ path, text }) => ({
        path,
        text: (text.match(/\/\*[^]*?\*\/|\/\/.*/g) ?? []).join('\n'),
      })),
      ...documents.map((path) => ({ path, text: read(path) })),
    ];
    assert.deepEqual(
      texts
        .filter(({ text }) => foreign.test(text))
        .map(({ path, text }) => `${path}: ${foreign.exec(text)?.[0]}`),
      [],
    );
  });
});
