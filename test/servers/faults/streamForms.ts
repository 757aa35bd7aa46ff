import { event, piece, raw, reasoning, type ScriptedModel, text } from '../script/script.ts';
import { chunk, fault, half, plain } from './fault.ts';

const multilingual =
  'I am a scripted model, and I write: 你好，世界。これはテストです。한국어도 됩니다. Grüße, naïve café, Ελλάδα, שלום, ' +
  '👩‍💻 👨‍👩‍👧‍👦 🎉 🇺🇳 𝒜 𠜎. 中文的標點：「引號」、……\n';

/** Correct answers in unusual forms on the wire: a client has to read them all. */
export const streamFormFaults: readonly ScriptedModel[] = [
  fault(
    'split-utf8',
    'Every character of several bytes (CJK, emoji) is split across two writes.',
    () => [text(multilingual)],
    { split: splitInsideCharacters },
  ),
  fault('one-byte-writes', 'Each byte of the stream is a write of its own.', () => [text(multilingual)], {
    split: (bytes) => Array.from(bytes, (_, i) => bytes.subarray(i, i + 1)),
  }),
  fault('crlf', 'Lines end in CR LF, and writes end between the two.', plain, {
    lineEnd: '\r\n',
    split: splitInsideCrlf,
  }),
  fault('no-final-blank-line', 'The last event is not followed by a blank line.', plain, {
    noFinalBlankLine: true,
    noDone: true,
    usage: 'with-finish',
  }),
  fault('multi-data-lines', 'The JSON of each event is spread over several `data:` lines.', plain, {
    severalDataLines: true,
  }),
  fault('no-space-after-data', '`data:{…}` without the space.', plain, { noSpace: true }),
  fault('byte-order-mark', 'The stream begins with a byte order mark.', function* (given) {
    yield raw('\uFEFF');
    yield* plain(given);
  }),
  fault('no-done', 'No `[DONE]`; the body just ends.', plain, { noDone: true }),
  fault('no-usage', 'No usage anywhere.', plain, { usage: 'never' }),
  fault('usage-with-finish', 'Usage rides on the chunk with the finish reason.', plain, {
    usage: 'with-finish',
  }),
  fault('usage-in-every-chunk', 'Every chunk has a usage of its own; the last one counts.', plain, {
    usage: 'every-chunk',
  }),
  fault('role-in-every-chunk', '`delta.role` is repeated in every chunk.', plain, { role: 'every' }),
  fault('no-role', '`delta.role` never comes.', plain, { role: 'never' }),
  fault(
    'null-content',
    '`delta.content` is null beside the reasoning, and in the last chunk.',
    function* (given) {
      yield reasoning('Thinking, with null content beside it.');
      yield* plain(given);
    },
    { deltaExtras: { content: null } },
  ),
  fault('finish-with-text', 'The finish reason comes in the last chunk of text.', plain, {
    finishWithText: true,
  }),
  fault(
    'finish-without-delta',
    'The last choice has a finish reason and no `delta`.',
    function* ({ request, ordinary }) {
      yield text(ordinary);
      yield event(chunk(request, { choices: [{ index: 0, finish_reason: 'stop' }] }));
      yield { type: 'finish', reason: request.stream ? null : 'stop' };
    },
  ),
  fault(
    'null-choices',
    'Chunks with `choices: null`, without `choices`, and with none, amid the answer.',
    function* ({ request, ordinary }) {
      yield event(chunk(request, { choices: null }));
      yield half(ordinary);
      yield event(chunk(request, {}));
      yield event(chunk(request, { choices: [] }));
      yield text(ordinary.slice(ordinary.length / 2));
    },
  ),
  fault(
    'both-reasoning-fields',
    'The same reasoning in `reasoning_content` and `reasoning`.',
    function* (given) {
      yield reasoning('This thought must be shown once.');
      yield* plain(given);
    },
    { reasoningField: 'both' },
  ),
  fault(
    'lone-newline-reasoning',
    'A lone line break as reasoning after the text, as Anthropic-backed models send.',
    function* (given) {
      yield* plain(given);
      yield reasoning('\n');
    },
  ),
  fault(
    'think-tags',
    'The reasoning is inside the text, in `<think>` tags that are split over chunks.',
    function* (given) {
      yield piece('<thi');
      yield piece('nk>I think');
      yield text(' inside the text.');
      yield piece('</th');
      yield piece('ink>\n\n');
      yield* plain(given);
    },
  ),
  fault('huge-line', 'One event of 2 MB.', () => [
    piece(`I am a scripted model. ${'A line that does not end. '.repeat(80_000)}\nThe end.\n`),
  ]),
  fault('many-tiny-chunks', '20,000 chunks of one word.', () => [text('word '.repeat(20_000))]),
  fault(
    'event-names',
    'Events carry `id:`, `event:` and `retry:` lines that mean nothing here.',
    function* (given) {
      yield raw('retry: 10\nid: 1\nevent: message\n');
      yield* plain(given);
    },
  ),
  fault(
    'ignores-stream',
    'Answers a stream request with one whole JSON object, and a plain one with a stream.',
    plain,
    {
      ignoresStream: true,
    },
  ),
  fault('answers-as-another', 'Answers name another model than the one that was asked.', plain, {
    answersAs: 'cheaper-model-mini',
  }),
  fault('streams-when-not-asked', 'Always streams, also when not asked to.', plain, { alwaysStreams: true }),
  fault(
    'hidden-markup',
    'The text has HTML, a script, a remote image and odd links, which a page must not run or load.',
    () => [
      text(
        'I am a scripted model.\n\n<script>document.title = "broken"</script>\n<img src="https://example.com/a.png" onerror="alert(1)">\n\n' +
          '![remote](https://example.com/b.png) [link](javascript:alert(1)) [command](command:workbench.action.quit)\n\n<b>bold</b> &amp; `</script>`\n',
      ),
    ],
  ),
];

function* splitInsideCharacters(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let i = 1; i < bytes.length; i += 1) {
    const continues = (bytes[i]! & 0xc0) === 0x80;
    const isSecond = continues && (bytes[i - 1]! & 0xc0) === 0xc0;
    if (!isSecond) continue;
    yield bytes.subarray(from, i);
    from = i;
  }
  yield bytes.subarray(from);
}

function* splitInsideCrlf(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let at = bytes.indexOf('\r\n'); at >= 0; at = bytes.indexOf('\r\n', at + 2)) {
    yield bytes.subarray(from, at + 1);
    from = at + 1;
  }
  yield bytes.subarray(from);
}
