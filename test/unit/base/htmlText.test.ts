import assert from 'node:assert/strict';
import { htmlToText } from '../../../src/base/text/htmlText.ts';

const { signal } = new AbortController();
const textOf = async (html: string) => (await htmlToText(html, signal)).text;

describe('htmlToText', () => {
  it('gives the title and the text, with headings, lists and tables as in Markdown', async () => {
    const page = await htmlToText(
      '<!doctype html><title> Tides &amp;\n times</title><body><h1>High\n water</h1><p>At <b>six</b>, <i>daily</i>.<br>Or not.' +
        '<ul><li>Spring<li>Neap <code>x</code></ul><table><tr><th>Port<th>m<tr><td>Ystad<td>3</table>',
      signal,
    );
    assert.deepEqual(page, {
      title: 'Tides & times',
      text: '# High water\n\nAt six, daily.\nOr not.\n- Spring\n- Neap x\n\nPort | m\nYstad | 3',
      isCut: false,
    });
  });

  it('keeps the lines of code, and no other spaces', async () => {
    assert.equal(
      await textOf('<p>  a \n\n b  </p><pre>if x:\n    y()\n</pre><p>c'),
      'a b\n\nif x:\n    y()\n\nc',
    );
    assert.equal(await textOf('one<span> two</span><span>three </span>four'), 'one twothree four');
  });

  it('leaves out what the page does not show', async () => {
    const hidden = [
      ...['<script>x</script>', '<style>x</style>', '<noscript>x</noscript>', '<template><p>x</template>'],
      ...[
        '<svg><text>x</text></svg>',
        '<nav><a>x</a></nav>',
        '<p hidden>x<b>x</b></p>',
        '<p aria-hidden="true">x</p>',
      ],
      ...['<p style="color: red; DISPLAY : none">x</p>', '<p style="visibility:hidden">x</p>', '<!-- x -->'],
    ];
    for (const part of hidden) assert.equal(await textOf(`a${part} b`), 'a b', part);
    assert.equal(await textOf('a<script>x'), 'a');
  });

  it('reads to where a page is nested too deeply, and says so', async () => {
    const page = await htmlToText(`<p>a</p>${'<div>'.repeat(200_000)}b`, signal);
    assert.deepEqual([page.text, page.isCut], ['a', true]);
  });

  it('ends when it is no longer wanted', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    await assert.rejects(htmlToText('<p>a'.repeat(500_000), gone), /gone/);
  });
});
