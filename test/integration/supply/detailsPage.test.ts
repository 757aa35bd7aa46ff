import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { createVSIX } from '@vscode/vsce';
import { toDetailsPage } from '../../../detailsPage.mjs';
import { unzip } from '../../support/zip.ts';

const readme = `# Tide

One line.

![The panel](media/readme/panel.png)

<img src="media/readme/picker.png" width="440" alt="The picker">

Another; see [the licence](LICENSE).

![A badge](https://example.com/badge.png)
`;

describe('supply: the details page', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-details-'));
    // vsce lists every packed file.
    mock.method(console, 'log', () => {});
  });
  afterEach(async () => {
    mock.restoreAll();
    await rm(folder, { recursive: true });
  });

  async function packaged(more: object): Promise<string | undefined> {
    const manifest = { name: 'tide', publisher: 'tide', version: '1.0.0', engines: { vscode: '^1.106.0' } };
    const page = toDetailsPage(readme, more);
    const write = (name: string, text: string) => writeFile(join(folder, name), text);
    await write('package.json', JSON.stringify({ ...manifest, ...more }));
    await write('README.md', page.readme);
    await write('LICENSE', 'MIT');
    await write('.vscodeignore', '**\n!README.md\n!LICENSE\n');
    const packagePath = join(folder, 'tide.vsix');
    await createVSIX({ cwd: folder, packagePath, dependencies: false, ...page.options });
    return unzip(await readFile(packagePath))
      .get('extension/readme.md')
      ?.toString();
  }

  it('shows the pictures from the repository as soon as the manifest names one', async () => {
    const url = 'https://github.com/tides/tide.git';
    const shown = await packaged({ repository: { type: 'git', url } });
    const site = 'https://github.com/tides/tide';
    assert.equal(
      shown,
      readme
        .replaceAll('media/readme/', `${site}/raw/HEAD/media/readme/`)
        .replace('(LICENSE)', `(${site}/blob/HEAD/LICENSE)`),
    );
  });

  it('takes the address of the pictures on another host from the manifest', async () => {
    const baseImagesUrl = 'https://code.example.com/tides/raw/main';
    const shown = await packaged({
      repository: 'https://code.example.com/tides',
      vsce: { baseImagesUrl, baseContentUrl: 'https://code.example.com/tides' },
    });
    assert.match(
      shown ?? '',
      /\(https:\/\/code\.example\.com\/tides\/raw\/main\/media\/readme\/panel\.png\)/,
    );
  });

  it('has no picture and no link that would be broken where there is no repository', async () => {
    assert.equal(
      await packaged({}),
      readme
        .replace('![The panel](media/readme/panel.png)\n\n', '')
        .replace('<img src="media/readme/picker.png" width="440" alt="The picker">\n\n', '')
        .replace('[the licence](LICENSE)', 'the licence'),
    );
  });
});
