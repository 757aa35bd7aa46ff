// Collects the licences of the packages whose code is in the bundles.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The notices for all packages that the bundles were made of, by name, each with the texts of its licences. Throws for
 * a package that has none.
 * @param {string} root of the repository
 * @param {(import('esbuild').Metafile | undefined)[]} metafiles
 * @returns {Promise<string>}
 */
export async function thirdPartyNotices(root, metafiles) {
  const folders = new Set();
  for (const metafile of metafiles) {
    for (const output of Object.values(metafile?.outputs ?? {})) {
      for (const input of Object.keys(output.inputs)) {
        const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
        if (folder) folders.add(folder);
      }
    }
  }
  const notices = await Promise.all([...folders].map((folder) => noticeOf(root, folder)));
  notices.sort((a, b) => (a.title < b.title ? -1 : 1));
  const rule = '='.repeat(80);
  const intro = 'Switchboard contains code of these packages, each under its own licence.';
  return (
    [intro, ...notices.map(({ title, text }) => `${rule}\n${title}\n${rule}\n\n${text}`)].join('\n\n') + '\n'
  );
}

/**
 * @param {string} root
 * @param {string} path of the package, below it
 */
async function noticeOf(root, path) {
  const folder = join(root, path);
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder))
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  if (texts.length === 0) texts.push(await termsWithoutFile(folder, name, license, author));
  const title = `${name} ${version} (${license ?? 'see below'})`;
  return { title, text: texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n') };
}

/** The terms name nobody, so that those of one package are those of all. */
const apacheTerms = 'eslint-visitor-keys/LICENSE';

/**
 * Some packages say in their manifest alone under which licence they are.
 * @param {string} folder of the package
 * @param {string} name
 * @param {string | undefined} license
 * @param {string | { name?: string } | undefined} author
 */
async function termsWithoutFile(folder, name, license, author) {
  const holder = typeof author === 'string' ? author : author?.name;
  if (license === 'Apache-2.0' && holder) {
    const packages = folder.slice(0, folder.indexOf('node_modules') + 'node_modules'.length);
    return `Copyright (c) ${holder}\n\n${await readFile(join(packages, apacheTerms), 'utf8')}`;
  }
  if (license !== 'MIT' || !holder) throw new Error(`${name} is bundled, and its licence is not known.`);
  return `MIT License

Copyright (c) ${holder}

${mitTerms}`;
}

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
