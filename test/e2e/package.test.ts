import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { root } from '../host/paths.ts';
import { unzip } from '../support/zip.ts';

interface Manifest {
  icon: string;
  license: string;
  galleryBanner: { color: string; theme: string };
  categories: string[];
  keywords: string[];
  contributes: { walkthroughs: { steps: { media: { markdown: string } }[] }[] };
}

describe('the VSIX', () => {
  let files: ReturnType<typeof unzip>;
  const text = (path: string) => files.get(`extension/${path}`)?.toString() ?? assert.fail(path);
  before(async () => {
    files = unzip(await readFile(join(root, 'dist', 'switchboard.vsix')));
  });

  it('has what the galleries ask for, of the Marketplace and of Open VSX', () => {
    const manifest = JSON.parse(text('package.json')) as Manifest;
    assert.equal(manifest.license, 'MIT');
    assert.match(text('LICENSE.txt'), /MIT/);
    const icon = files.get(`extension/${manifest.icon}`) ?? assert.fail();
    assert.equal(icon.subarray(1, 4).toString(), 'PNG');
    for (const at of [16, 20]) assert.ok(icon.readUInt32BE(at) >= 128);
    assert.match(manifest.galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.ok(['dark', 'light'].includes(manifest.galleryBanner.theme));
    assert.deepEqual(manifest.categories, ['AI', 'Chat']);
    assert.ok(manifest.keywords.length > 0 && manifest.keywords.length <= 30);
    assert.deepEqual(
      ['scripts', 'knip'].filter((name) => name in manifest),
      [],
    );
    for (const [, address] of text('readme.md').matchAll(/(?:!\[[^\]]*\]\(|<img src=")([^)"]*)/g))
      assert.match(address ?? '', /^https:.*\.(png|jpg|gif)$/);
    assert.doesNotMatch(text('readme.md'), /\]\((?!https?:|#)/);
  });

  it('has each page of its walkthrough, with the pictures on it', () => {
    const { contributes } = JSON.parse(text('package.json')) as Manifest;
    const pages = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.markdown));
    assert.ok(pages.length > 0);
    for (const page of pages) {
      for (const [, picture = ''] of text(page).matchAll(/!\[[^\]]*\]\(([^)]*)\)/g))
        assert.ok(files.has(posix.join('extension', posix.dirname(page), picture)), `${page}: ${picture}`);
    }
  });

  it('holds what runs, the licences of what is in it, and nothing else', () => {
    const notices = files.get('extension/dist/THIRD-PARTY-NOTICES.txt')?.toString() ?? '';
    for (const name of [
      'undici',
      'zod',
      'preact',
      'dompurify',
      '@modelcontextprotocol/server',
      'highlight.js',
      '@vscode/codicons',
      '@vscode/l10n',
    ]) {
      assert.match(notices, new RegExp(`\\n${name.replace('/', '\\/')} \\d`));
    }
    assert.ok(files.has('extension/dist/knowledgeBridge.mjs'));
    assert.ok(files.has('extension/dist/extension.mjs') && files.has('extension/LICENSE.txt'));
    const strange = [...files.keys()].filter(
      (path) =>
        !/^(extension\/(dist\/|media\/|package(\.nls(\.zh-cn)?)?\.json$|(readme|changelog)\.md$|LICENSE\.txt$)|extension\.vsixmanifest$|\[Content_Types\]\.xml$)/.test(
          path,
        ),
    );
    assert.deepEqual(strange, []);
    assert.ok(![...files.keys()].some((path) => /node_modules|\.map$|\.env|\/test\//.test(path)));
  });
});
