import assert from 'node:assert/strict';
import { pageName, readPage } from '../../../../src/chat/attachments/readPage.ts';

const { signal } = new AbortController();
const page = (text: string, more = {}) => ({
  ...{ url: new URL('https://example.com/a?b=1'), isHtml: true, text, isCut: false },
  ...more,
});

describe('the text of a page', () => {
  it('begins with its title, and is named by its address', async () => {
    assert.deepEqual(await readPage(page('<title>Tides</title><p>High'), signal), {
      name: 'example.com/a?b=1',
      text: 'Tides\n\nHigh',
    });
    assert.equal(pageName(new URL('https://example.com/#top')), 'example.com');
    assert.equal((await readPage(page('<b>a\n', { isHtml: false }), signal)).text, '<b>a');
  });

  it('has 200 KB at most, and says what is missing', async () => {
    const { text, isCut } = await readPage(page('<p>abc de'.repeat(60_000)), signal);
    assert.ok(Buffer.byteLength(text) < 200_200);
    assert.equal(isCut, true);
    assert.match(text, /The rest of the page is not attached\.\]$/);
    assert.equal((await readPage(page('<p>a', { isCut: true }), signal)).isCut, true);
  });

  it('is refused where there is none', async () => {
    await assert.rejects(
      readPage(page('<script>draw()</script>'), signal),
      /example\.com\/a\?b=1 has no text/,
    );
  });
});
