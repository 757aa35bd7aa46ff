import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { assumedWindow } from '../../../src/chat/context/contextKnowledge.ts';
import { keptTokens } from '../../../src/chat/context/planCompaction.ts';
import { mostSnapshotBytes } from '../../../src/chat/edits/fileSnapshots.ts';
import { clientPrograms } from '../../../src/clients/clientPrograms.ts';
import { otherPrograms } from '../../../src/clients/programs/otherPrograms.ts';
import { languageToolNames } from '../../../src/host/ids.ts';
import { ownToolNames, occasionalToolNames } from '../../../src/tools/ownToolNames.ts';
import { root } from '../../host/paths.ts';
import { localisedTexts } from '../../support/localisedTexts.ts';
import { manual } from '../../support/manual.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const allPages = manual.map(read).join('\n');
const guidePage = (name: string): string => read(`docs/guide/${name}.md`);
const manifest = JSON.parse(read('package.json')) as {
  engines: { vscode: string };
  contributes: {
    configuration: { properties: Record<string, object> }[];
    commands: { command: string; title: string }[];
    keybindings: { command: string; key: string; mac?: string }[];
  };
};
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** Cells of the table with this beginning of its head row, without the head. */
function tableOf(page: string, head: string): string[][] {
  const [, rows = ''] =
    guidePage(page)
      .split(`\n| ${head}`)[1]
      ?.split(/\n\|[-| ]+\|\n/) ?? [];
  const [table = ''] = rows.split('\n\n');
  return table.split('\n').map((row) =>
    row
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
}

const codesIn = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

describe('the README and the guide', () => {
  it('are short, and lead to each page', () => {
    assert.ok(Buffer.byteLength(readme) <= 9000);
    const linked = [...readme.matchAll(/\]\((docs\/guide\/[^)]*)\)/g)].map(([, page]) => page);
    assert.deepEqual(new Set(linked), new Set(manual.slice(1)));
  });

  it('say below each part what holds its promises: suites that are there, or else what it rests on', () => {
    const suites = new Set(
      readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).flatMap((path) => {
        const [stage, ...rest] = path.split(sep);
        const [, name] = /^(\w+)\.(?:test|fuzz)\.ts$/.exec(rest.at(-1) ?? '') ?? [];
        return name === undefined ? [] : [`${stage}/${name}`];
      }),
    );
    for (const path of manual) {
      const parts = read(path)
        .split(/^## /m)
        .slice(path === 'README.md' ? 0 : 1);
      assert.ok(parts.length > 0, path);
      for (const part of parts.filter((each) => !/^(?:Read on|License)\n/.test(each))) {
        const where = `${path}: ${part.split('\n')[0]}`;
        const [, kind, held = ''] = /\n<!-- (tests|rests on): (.+) -->\n*$/.exec(part) ?? [];
        assert.ok(kind, where);
        if (kind === 'tests')
          assert.deepEqual(
            held.split(' ').filter((suite) => !suites.has(suite)),
            [],
            where,
          );
      }
    }
  });

  it('says of each setting what it does, and of none that is not there', () => {
    const named = tableOf('settings', 'setting (`switchboard.`)').flatMap(([names = '']) => codesIn(names));
    const contributed = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.keys(properties),
    );
    assert.deepEqual(named.map((name) => `switchboard.${name}`).toSorted(), contributed.toSorted());
  });

  it('names the tools that models get', () => {
    const [, list = ''] = /\nA model that calls tools gets these: (.*?)\.\n/.exec(guidePage('tools')) ?? [];
    // These appear once a knowledge base was chosen, there is a skill, or a workflow is a file.
    const others: readonly string[] = ['search_knowledge', ...occasionalToolNames];
    assert.deepEqual(
      codesIn(list),
      ownToolNames.filter((name) => !others.includes(name)),
    );
    for (const name of occasionalToolNames) assert.ok(allPages.includes(`\`${name}\``), name);
    for (const name of Object.values(languageToolNames)) assert.ok(allPages.includes(`\`${name}\``), name);
  });

  it('names commands and buttons as they read on the screen', () => {
    const shown = new Set([...Object.values(texts), ...localisedTexts().map(({ text }) => text)]);
    const patterns = [...shown]
      .filter((text) => /\{0\}/.test(text) && text.length < 30)
      .map((text) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{0\}\s*/, '.{0,9}'));
    const isShown = (label: string) =>
      shown.has(label) || patterns.some((pattern) => new RegExp(`^${pattern}$`).test(label));
    const prose = allPages.replace(/```[^]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
    const commands = [...prose.matchAll(/\*\*(?:Switchboard: )?([^*\n]+…|Switchboard: [^*\n]+)\*\*/g)];
    const labels = [...prose.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)];
    assert.ok(commands.length > 10 && labels.length > 100);
    const missing = [...commands, ...labels]
      .map(([, label = '']) => label.replace(/^Switchboard(?: >|:) /, ''))
      .filter((label) => !ofOthers.has(label) && !isShown(label));
    assert.deepEqual([...new Set(missing)], []);
  });

  it('has the numbers that count', () => {
    const numbers: [pattern: RegExp, number: number][] = [
      [/Up to (\d+) MB of file texts are kept/, mostSnapshotBytes / 1_000_000],
      [/: the newest ([\d,]+) tokens stay word for word/, keptTokens],
      [/that is fitted into (\w+) million/, assumedWindow / 1_000_000],
    ];
    for (const [pattern, number] of numbers) {
      const [, found = ''] = pattern.exec(allPages) ?? [];
      assert.equal(found === 'one' ? 1 : Number(found.replace(',', '')), number, String(pattern));
    }
    const [, oldest] = /\^(\d+\.\d+)\.\d+/.exec(manifest.engines.vscode) ?? [];
    assert.match(readme, new RegExp(`In VS Code ${oldest} or newer`));
  });

  it('lists each key with its command', () => {
    const label = (key: string) => key.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
    assert.deepEqual(
      tableOf('chat', 'Windows, Linux | macOS')
        .map(([key, mac, title]) => `${key} ${mac} ${title}`)
        .toSorted(),
      manifest.contributes.keybindings
        .filter(({ command }) => command.startsWith('switchboard.'))
        .map(({ command, key, mac = key }) => {
          const title = texts[command.replace('switchboard.', 'command.')];
          return `${label(key)} ${label(mac)} *${title}*`;
        })
        .toSorted(),
    );
  });

  it('has each program with its protocols, its file and the places for its key', () => {
    const rows = tableOf('other-programs', 'program | protocol');
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

/** Keys, and texts of other programs. */
const ofOthers = new Set([
  ...['Enter', 'Shift+Enter', 'Alt+Enter', 'Escape', 'F2'],
  ...['Extensions', 'Install from VSIX…', 'Keyboard Shortcuts', 'Manage Models…', 'Settings > Chats'],
  'Trigger Inline Suggestion',
  // Words explained in place, and a part of a shown text.
  ...['sandbox', 'dataset', 'Mode'],
]);
