import assert from 'node:assert/strict';
import { pageHtml, type PageOptions } from '../../../src/panel/pageHtml.ts';

const html = (options: Partial<PageOptions> = {}) =>
  pageHtml({
    styles: '@font-face{src:url("./codicon.ttf?1")}',
    shell: '<textarea aria-label="Message"></textarea>',
    folder: 'https://resources/page',
    source: 'https://resources',
    language: 'en',
    texts: {},
    draft: undefined,
    ...options,
  });

describe('the page as the host makes it', () => {
  it('runs one script, which loads a file, and takes nothing from elsewhere', () => {
    const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(html()) ?? [];
    assert.doesNotMatch(html(), new RegExp(nonce.replaceAll(/[+/]/g, '.')), 'made anew for each page');
    const page = html({ texts: { Stop: '</script><script>' } });
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const sources = policy.split('; ').flatMap((rule) => rule.split(' ').slice(1));
    const [, own] = /'nonce-([^']+)'/.exec(policy) ?? [];
    assert.match(policy, /^default-src 'none';/);
    assert.deepEqual(new Set(sources), new Set(["'none'", 'https://resources', `'nonce-${own}'`, 'blob:']));
    const scripts = [...page.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)];
    assert.deepEqual(
      scripts.map(([, attributes = '', text]) => [/type="([^"]*)"/.exec(attributes)?.[1], text]),
      [
        ['application/json', '{"Stop":"\\u003c/script>\\u003cscript>"}'],
        ['module', 'import("https://resources/page/panel.js")'],
      ],
    );
    assert.match(page, /url\("https:\/\/resources\/page\/codicon\.ttf\?1"\)/);
  });

  it('has the message box where one is expected, with the draft as it was typed', () => {
    assert.doesNotMatch(html(), /<textarea/);
    assert.match(html({ draft: '' }), /<textarea aria-label="Message">\n<\/textarea>/);
    const page = html({ draft: '\n</textarea><b>&amp; $& $1' });
    assert.match(page, /<textarea[^>]*>\n\n&lt;\/textarea>&lt;b>&amp;amp; \$&amp; \$1<\/textarea>/);
  });
});
