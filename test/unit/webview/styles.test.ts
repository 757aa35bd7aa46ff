import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';

describe('the style sheets of the page', () => {
  it('ask no element around the conversation what is in it', async () => {
    // Such selectors are evaluated again for the whole page whenever an element is added.
    const folder = join(root, 'src/webview/styles');
    for (const name of await readdir(folder)) {
      const sheet = (await readFile(join(folder, name), 'utf8')).replace(/\/\*[^]*?\*\//g, '');
      for (const [selector] of sheet.matchAll(/[^{};]+(?=\{)/g)) {
        assert.doesNotMatch(
          selector,
          /(?:^|[\s,>])(?:\*|:root|html|body|main|#root|\.(?:panel|transcript|entry|markdown|section|welcome)(?:\.[\w-]+)*):has\(/,
          name,
        );
      }
    }
  });

  it('name no side but that where a line begins or ends', async () => {
    const folder = join(root, 'src/webview/styles');
    for (const name of await readdir(folder)) {
      // Formulas and Markdown's aligned columns run left to right in every language.
      const sheet = (await readFile(join(folder, name), 'utf8')).replace(/\[align='right'\] \{[^}]*\}/, '');
      const physical = /^\s+(?:(?:margin|padding|border)-(?:left|right)|text-align: (?:left|right);).*$/m;
      if (name !== 'math.css') assert.doesNotMatch(sheet, physical, name);
    }
  });
});
