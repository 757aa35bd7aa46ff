import assert from 'node:assert/strict';
import { escapeRegExp, occurrences } from '../../src/base/text/escapeRegExp.ts';
import { readSources } from '../run/imports.ts';

/** Places that compute a regular expression, each with the reason why no text can inject syntax. */
const reasons: Record<string, string> = {
  'base/secrets/maskAnswer.ts': 'the characters of a key, each as its number',
  'base/secrets/secretShapes.ts': 'marks and rests of our own',
  'base/text/escapeRegExp.ts': 'a text that is looked for, through escapeRegExp',
  'base/text/visibleText.ts': 'classes of characters of our own',
  'chat/calls/callTexts.ts': 'a number of our own',
  'chat/context/contextRefusal.ts': 'forms of our own',
  'connections/connectionLink.ts': 'names of our own',
  'history/savedChats.ts': 'names of fields of our own',
  'history/searchChats.ts': 'at most 200 characters, each through escapeRegExp',
  'relay/check/checkReport.ts': 'a host, through escapeRegExp',
  'relay/list/modelKind.ts': 'words of our own',
  'relay/protocols/refusedParameters.ts': 'names of fields of our own',
  'tools/policy/secretByContent.ts': 'pieces of our own, bounded',
  'tools/search/lineMatcher.ts': 'what compilePattern gave, which bounds it',
  'tools/search/linePattern.ts': 'an expression that a model wrote, of a bounded length',
  'tools/search/ripgrepPattern.ts': 'pieces of our own',
  'webview/markdown/parser.ts': 'expressions of the library',
};

describe('expressions', () => {
  it('are built from a text nowhere but where it is known what is in it', async () => {
    const sources = await readSources();
    const building = sources.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ path }) => path);
    assert.deepEqual(building.toSorted(), Object.keys(reasons).toSorted());
  });

  it('are not made from a long text', () => {
    const longest = '(*'.repeat(500);
    assert.deepEqual(occurrences(`a${longest}`, longest), [{ start: 1, end: 1001 }]);
    assert.deepEqual(occurrences(`a${longest}.`, `${longest}.`), []);
    assert.throws(() => escapeRegExp(`${longest}.`), /1001 characters are too many/);
  });
});
