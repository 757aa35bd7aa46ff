import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assumedWindow } from '../../../src/chat/context/contextKnowledge.ts';
import { keptTokens } from '../../../src/chat/context/planCompaction.ts';
import { mostSnapshotBytes } from '../../../src/chat/fileSnapshots.ts';
import { clientPrograms } from '../../../src/clients/clientPrograms.ts';
import { otherPrograms } from '../../../src/clients/programs/others.ts';
import { languageToolNames } from '../../../src/host/ids.ts';
import { ownToolNames } from '../../../src/tools/ownTools.ts';
import { root } from '../../host/paths.ts';
import { localisedTexts } from '../../support/localisedTexts.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as {
  engines: { vscode: string };
  contributes: {
    configuration: { properties: Record<string, object> }[];
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string }[];
  };
};
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** The cells of the table below a head row that begins so, without the head. */
function tableOf(head: string): string[][] {
  const [, rows = ''] = readme.split(`\n| ${head}`)[1]?.split(/\n\|[-| ]+\|\n/) ?? [];
  const [table = ''] = rows.split('\n\n');
  return table.split('\n').map((row) =>
    row
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

/** What stands in code marks. */
const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('the README', () => {
  it('says of each setting what it does, and of none that is not there', () => {
    const named = tableOf('setting (`switchboard.`)').flatMap(([names = '']) => codesIn(names));
    const contributed = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.keys(properties),
    );
    assert.deepEqual(named.map((name) => `switchboard.${name}`).toSorted(), contributed.toSorted());
  });

  it('names the tools that models get', () => {
    const [, list = ''] = /\nA model that calls tools gets these: (.*?)\. /.exec(readme) ?? [];
    // That one is there once a knowledge base was chosen.
    assert.deepEqual(
      codesIn(list),
      ownToolNames.filter((name) => name !== 'search_knowledge'),
    );
    for (const name of Object.values(languageToolNames)) assert.ok(readme.includes(`\`${name}\``), name);
  });

  it('names commands and buttons as they read on the screen', () => {
    const shown = new Set([...Object.values(texts), ...localisedTexts().map(({ text }) => text)]);
    const patterns = [...shown]
      .filter((text) => /\{0\}/.test(text) && text.length < 30)
      .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{0\}\s*/, '.{0,9}'));
    const isShown = (label: string) =>
      shown.has(label) || patterns.some((pattern) => new RegExp(`^${pattern}$`).test(label));
    const prose = readme.replace(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
    const commands = [...prose.matchAll(/\*\*(?:Switchboard: )?([^*\n]+…|Switchboard: [^*\n]+)\*\*/g)];
    const labels = [...prose.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)];
    assert.ok(commands.length > 10 && labels.length > 100);
    const missing = [...commands, ...labels]
      .map(([, label = '']) => label.replace(/^Switchboard(?: >|:) /, ''))
      .filter((label) => !ofOthers.has(label) && !isShown(label));
    assert.deepEqual([...new Set(missing)], []);
  });

  it('leads to parts that are there, and to all of them', () => {
    const slugOf = (title: string) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-');
    const [, ofUse = ''] = readme.split(/^## Use it$/m);
    const parts = [...(ofUse.split(/^## /m)[0] ?? '').matchAll(/^### (.+)$/gm)].map(([, title = '']) =>
      slugOf(title),
    );
    const linked = [...readme.matchAll(/\]\(#([^)]*)\)/g)].map(([, slug = '']) => slug);
    // That one is too small to be looked for.
    assert.deepEqual(
      linked,
      parts.filter((part) => part !== 'answers'),
    );
  });

  it('has the numbers that count', () => {
    const numbers: [written: RegExp, number: number][] = [
      [/Up to (\d+) MB of file texts are kept/, mostSnapshotBytes / 1_000_000],
      [/: the newest ([\d,]+) tokens stay word for word/, keptTokens],
      [/that is fitted into (\w+) million/, assumedWindow / 1_000_000],
    ];
    for (const [written, number] of numbers) {
      const [, found = ''] = written.exec(readme) ?? [];
      assert.equal(found === 'one' ? 1 : Number(found.replace(',', '')), number, String(written));
    }
    const [, oldest] = /\^(\d+\.\d+)\.\d+/.exec(manifest.engines.vscode) ?? [];
    assert.match(readme, new RegExp(`In VS Code ${oldest} or newer`));
  });

  it('names the keys of the review as they are bound', () => {
    const keys = ['keepChange', 'undoChange', 'nextChange', 'previousChange'].map(
      (name) =>
        manifest.contributes.keybindings.find(({ command }) => command === `switchboard.${name}`)?.key,
    );
    const [, keep, undo, next, previous] =
      /\((Ctrl\+Alt\+\w) keeps, (Ctrl\+Alt\+\w) undoes, (Ctrl\+Alt\+)(\w and \w) go to/.exec(readme) ?? [];
    const [j, h] = previous?.split(' and ') ?? [];
    assert.deepEqual(
      [keep, undo, `${next}${j}`, `${next}${h}`].map((key) => key?.toLowerCase()),
      keys,
    );
  });

  it('has each program with its protocols, its file and the places for its key', () => {
    const rows = tableOf('program | protocol');
    const machine = { home: join('/', '~'), environment: {}, exists: () => false };
    const protocols = {
      'chat-completions': 'chat completions',
      messages: 'messages',
      responses: 'responses',
    };
    assert.equal(rows.length, clientPrograms.length + 1);
    let places = '';
    for (const [
      index,
      { name, endpoints, files, keyPlaces, variable = 'RELAY_API_KEY' },
    ] of clientPrograms.entries()) {
      const [program = '', protocol, file = '', key = ''] = rows[index] ?? [];
      assert.equal(program.replace(/ \(.*\)$/, ''), name);
      assert.equal(
        protocol,
        Object.keys(endpoints)
          .map((each) => protocols[each as keyof typeof protocols])
          .join('; '),
        name,
      );
      const [shown = ''] = codesIn(file);
      assert.equal(join('/', shown), files(machine)[0]?.path, name);
      for (const named of codesIn(file).filter((code) => /^[A-Z_]+$/.test(code))) {
        const moved = files({ ...machine, environment: { [named]: join('/', 'moved') } });
        assert.ok(moved[0]?.path.startsWith(join('/', 'moved')), `${name}: ${named}`);
      }
      if (key !== 'the same') places = key;
      const words = { environment: `variable \`${variable}\``, terminal: 'terminal', file: 'file' };
      const [written = ''] = places.split(':');
      assert.deepEqual(
        written.split(', ').toSorted(),
        keyPlaces.map((place) => words[place]).toSorted(),
        name,
      );
      assert.equal(written.split(', ')[0], words[keyPlaces[0]!], name);
    }
    for (const { keyPlaces } of otherPrograms()) assert.deepEqual(keyPlaces, ['environment', 'terminal']);
    assert.deepEqual(rows.at(-1)?.at(-1), 'variable, terminal');
  });
});

/** Keys, and what other programs show. */
const ofOthers = new Set([
  ...['Enter', 'Shift+Enter', 'Alt+Enter', 'Escape', 'F2'],
  ...['Extensions', 'Install from VSIX…', 'Manage Models…', 'Settings > Chats'],
  // Words that are explained where they stand, and one that is a part of what is shown.
  ...['sandbox', 'dataset', 'Mode'],
]);
