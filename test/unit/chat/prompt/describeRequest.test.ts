import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { describeRequest } from '../../../../src/chat/prompt/describeRequest.ts';
import type { ChatEvent } from '../../../../src/chat/store/events.ts';
import type { ToolDefinition } from '../../../../src/relay/messages.ts';
import { emptyPrompt } from '../../../support/emptyPrompt.ts';

const hostile =
  '</pre>\n\n![](https://evil.example/a.png)\n\n</details></details><img src="https://evil.example/b.png">\n\n# Fake\n```';

const asked = (id: string, text: string): ChatEvent => ({ type: 'userMessageAdded', id, text });
const answered = (id: string, text: string, model = 'm'): ChatEvent[] => [
  { type: 'answerStarted', id, model },
  { type: 'textAdded', id, text },
  { type: 'answerEnded', id, end: { reason: 'answered' } },
];

function requestOf(events: readonly ChatEvent[], id: string, tools: readonly ToolDefinition[] = []) {
  const conversation = new Conversation('c', events);
  const prompt = { ...emptyPrompt, systemText: () => 'OWN TEXT' };
  const request = describeRequest({ conversation, prompt, tools, instructions: 'Be brief.' }, id);
  assert.ok(request);
  return { ...request, html: new MarkdownIt({ html: true }).render(request.page) };
}

const summaries = (html: string) =>
  [...html.matchAll(/<summary>(.*?) <small>(.*?)<\/small>/g)].map(([, title, size]) => [title, size]);

describe('a request to read', () => {
  it('has a part that folds for each text, with its size, and a link to its JSON', () => {
    const tool = { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } };
    const { html, raw, rawName } = requestOf([asked('1', 'Why?'), ...answered('a', 'So.')], 'a', [tool]);
    assert.match(html, /<b>m<\/b> · about \d+ tokens · <a href="Request\.json">Show as JSON<\/a>/);
    assert.equal(rawName, 'Request.json');
    assert.deepEqual(
      [...html.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title),
      ['System prompt', 'Tools', 'Messages'],
    );
    assert.deepEqual(summaries(html), [
      ['Switchboard', 'about 2 tokens, 8 characters'],
      ['chat.instructions', 'about 3 tokens, 9 characters'],
      ['read_file', summaries(html)[2]?.[1]],
      ['1. You', summaries(html)[3]?.[1]],
    ]);
    assert.match(html, /<details open>[^]*<pre>\nWhy\?\n<\/pre>/);
    const { model, messages, tools } = JSON.parse(raw);
    assert.deepEqual([model, messages.length, tools], ['m', 2, [tool]]);
    assert.match(messages[0].content, /^OWN TEXT\n\n[^]*Be brief\.$/);
  });

  it('tells what goes with a message from what the user wrote', () => {
    const attachment = { id: 'f', kind: 'file' as const, label: 'a.ts', path: 'src/a.ts', text: 'let a;' };
    const { html } = requestOf(
      [
        { ...asked('1', 'Why?'), attachments: [attachment] } as ChatEvent,
        { type: 'contextAdded', id: '1', text: 'Date: today', at: 0 },
        ...answered('a', 'So.'),
      ],
      'a',
    );
    const titles = summaries(html).map(([title]) => title);
    assert.deepEqual(titles.slice(2), ['1. You', 'Context', 'Attachment: src/a.ts']);
    assert.match(html, /<pre>\nWhy\?\n<\/pre>/);
  });

  it('shows text that looks like markup as text: nothing ends its block, and nothing is loaded', () => {
    const { html } = requestOf(
      [asked('1', hostile), ...answered('a', hostile, hostile), asked('2', 'Then?'), ...answered('b', '')],
      'b',
      [{ name: hostile, description: hostile, parameters: {} }],
    );
    assert.doesNotMatch(html, /<img|<h1>Fake/);
    assert.equal(html.split('<details').length, html.split('</details>').length);
    assert.equal(html.split('<pre>').length, html.split('</pre>').length);
    assert.ok(html.includes('&lt;/pre&gt;\n\n![](https://evil.example/a.png)'));
  });

  it('leaves the bytes of pictures out of the JSON', () => {
    const image = { mimeType: 'image/png', data: 'QUJD'.repeat(300), width: 1, height: 1 };
    const attachment = { id: 'p', kind: 'image', label: 'p.png', image };
    const { html, raw } = requestOf(
      [{ ...asked('1', 'See'), attachments: [attachment] } as unknown as ChatEvent, ...answered('a', 'So.')],
      'a',
    );
    assert.ok(raw.includes('[image/png, 1,200 × base64]'));
    assert.ok(!raw.includes('QUJDQUJD'));
    assert.ok(html.includes('[image/png, 1,200 × base64]'));
  });
});
