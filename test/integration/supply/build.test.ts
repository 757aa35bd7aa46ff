import assert from 'node:assert/strict';
import { chmod, cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundles } from '../../../esbuild.mjs';
import { thirdPartyNotices } from '../../../licences.mjs';
import { root } from '../../host/paths.ts';
import { runProcess } from '../../host/processes.ts';

/** Path → content of a production build. */
async function builtFiles(folder: string): Promise<{ files: Map<string, string>; metafiles: Metafile[] }> {
  const metafiles: Metafile[] = [];
  for (const [name, options] of Object.entries(bundles({ production: true }))) {
    const { metafile } = await build({
      ...options,
      absWorkingDir: root,
      metafile: true,
      outdir: join(folder, name),
    });
    metafiles.push(metafile);
  }
  const files = new Map<string, string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(folder, path), await readFile(path, 'latin1'));
  }
  files.set('notices', await thirdPartyNotices(root, metafiles));
  return { files, metafiles };
}

describe('supply: what is built', function () {
  this.timeout(120_000);
  let folder: string;
  let built: Awaited<ReturnType<typeof builtFiles>>;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-build-'));
    built = await builtFiles(join(folder, 'a'));
  });
  after(() => rm(folder, { recursive: true }));

  it('packs the same bytes in two folders, whoever may read the sources and whatever the time zone', async () => {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const inputs = (await readdir(root)).filter((name) => /\.(?:mjs|json|md)$/.test(name));
    const packed = async (name: string, mode: number, TZ: string) => {
      const copy = join(folder, name);
      for (const input of [...inputs, '.vscodeignore', 'LICENSE', 'media', 'src'])
        await cp(join(root, input), join(copy, input), { recursive: true });
      await chmod(join(copy, 'LICENSE'), mode);
      const { succeeded, output } = await runProcess(process.execPath, [join(copy, 'package.mjs')], {
        env: { ...process.env, TZ },
      });
      assert.ok(succeeded, output);
      return readFile(join(copy, 'dist', 'switchboard.vsix'), 'latin1');
    };
    const first = await packed('one', 0o644, 'UTC');
    const second = await packed('another', 0o600, 'Asia/Tokyo');
    assert.ok(first.length > 1_000_000);
    assert.ok(first === second);
  });

  const inputsOf = (entryPoint: string): string[] => {
    const outputs = Object.assign({}, ...built.metafiles.map((each) => each.outputs)) as Metafile['outputs'];
    const atOnce = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entryPoint));
    for (const path of atOnce) {
      for (const { kind, path: next } of outputs[path]?.imports ?? [])
        if (kind === 'import-statement' && outputs[next]) atOnce.add(next);
    }
    const inputs = [...atOnce].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}));
    assert.ok(inputs.includes(entryPoint));
    return inputs;
  };

  it('loads at activation only what tells the editor what there is', () => {
    const needless = inputsOf('src/extension.ts').filter(
      (input) =>
        !/^src\/(?:extension\.ts|base\/async\/lazy\.ts|base\/disposable\.ts|host\/(?:.*\/)?(?:register\w+|ids)\.ts)$/.test(
          input,
        ) && !input.startsWith('editor-api:'),
    );
    assert.deepEqual(needless, []);
  });

  it('loads at first use neither what reads what is stored or sent, nor what sends or says it', () => {
    assert.deepEqual(
      inputsOf('src/host/window/windowParts.ts').filter((input) =>
        /node_modules\/(?:zod|undici|jsonrepair)\/|src\/shared\/protocol|toolPhrases/.test(input),
      ),
      [],
    );
  });

  it('loads with the panel nothing that reads YAML', () => {
    const read = inputsOf('src/host/panel/createPanel.ts').filter((input) =>
      input.includes('node_modules/yaml/'),
    );
    assert.deepEqual(read, []);
  });

  it('loads one more script at first use, which needs the first alone', () => {
    const [path = ''] = [...built.files.keys()].filter((each) => /^host.chunks.windowParts-/.test(each));
    const imported = [...(built.files.get(path) ?? '').matchAll(/(?:from|import)\s*"(\.[^"]*)"/g)];
    assert.deepEqual([...new Set(imported.map(([, from]) => from))], ['../extension.mjs']);
  });

  for (const [bundle, name] of [
    ['host', 'extension.mjs'],
    ['page', 'panel.js'],
  ] as const) {
    it(`loads one script at the start of the ${bundle}, in which all others find what they share with it`, () => {
      const { files } = built;
      const script = files.get(join(bundle, name)) ?? '';
      assert.match(script, /import\("\.\/chunks\//);
      assert.doesNotMatch(script, /(?:from|import)\s*"\./);
      const exported = new Set(
        [...script.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(([, list = '']) =>
          list.split(',').map((each) => each.trim().split(' as ').at(-1)),
        ),
      );
      const late = [...files].filter(([path]) => path.startsWith(join(bundle, 'chunks')));
      let shared = 0;
      for (const [path, text] of late) {
        for (const [, list = '', from = ''] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*"(\.[^"]*)"/g)) {
          const imported = join(bundle, 'chunks', from);
          assert.ok(files.has(imported), `${imported} is not there for ${path}`);
          if (imported !== join(bundle, name)) continue;
          const names = list.split(',').map((each) => each.trim().split(' as ')[0]);
          for (const each of names) assert.ok(exported.has(each), `${each} is not there for ${path}`);
          shared += names.length;
        }
      }
      assert.ok(shared > 30);
    });
  }

  it('has scripts of one byte for each character, which are read quicker', async () => {
    const scripts = [...built.files].filter(([path]) => /^(?:host|page).*\.m?js$/.test(path));
    assert.ok(scripts.length > 10);
    const wide = scripts.filter(([, text]) => /[^\0-\x7f]/.test(text));
    assert.deepEqual(
      wide.map(([path]) => path),
      [],
    );
  });

  it("requires the editor's API once, for which the editor would have to make a module if it were imported", async () => {
    const { files } = built;
    const ofHost = [...files].filter(([path]) => path.startsWith('host'));
    const naming = ofHost.filter(([, text]) => /(?:from|import)\s*\(?"vscode"/.test(text));
    assert.deepEqual(
      naming.map(([path]) => path),
      [],
    );
    const requiring = ofHost.flatMap(([path, text]) => [...text.matchAll(/\("vscode"\)/g)].map(() => path));
    assert.deepEqual(requiring, [join('host', 'extension.mjs')]);
  });

  it('comes with the licence of every package in it', async () => {
    const { files, metafiles } = built;
    const notices = files.get('notices') ?? '';
    const inputs = metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap((output) => Object.keys(output.inputs)),
    );
    const names = new Set(
      inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
    );
    assert.ok(names.size > 10);
    for (const name of names)
      assert.match(notices, new RegExp(`={80}\\n${name.replace('/', '\\/')} \\d[^\\n]* \\(`));
    assert.ok(notices.split('Permission is hereby granted').length > 10);
  });

  it('does without a package that says no licence', async () => {
    const metafile = {
      inputs: {},
      outputs: { 'a.js': { inputs: { 'none/node_modules/x/a.js': { bytesInOutput: 1 } } } },
    };
    await assert.rejects(thirdPartyNotices(folder, [metafile as unknown as Metafile]));
  });
});
