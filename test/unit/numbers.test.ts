import assert from 'node:assert/strict';
import { localisedTexts, readSources, textsIn } from '../support/localisedTexts.ts';

/** Countable nouns. A text with a number before one of these needs a singular form. */
const counted =
  'apps|attachments|branches|bytes|calls|changes|characters|chunks|conflicts|conversations|days|documents|edits|' +
  'entries|errors|events|fields|files|folders|hits|hours|images|items|keys|knowledge bases|lines|matches|messages|' +
  'minutes|models|pages|questions|requests|results|rounds|rules|seconds|segments|servers|sources|steps|symbols|tags|' +
  'times|tokens|tools|tries|turns|uploads|values|versions|warnings|words';
const bareCount = new RegExp(String.raw`\{\d\} (?:[a-z]*[a-rt-z] )?(?:${counted})\b`, 'i');

/** Texts whose number is never one, each with the reason. */
const neverOne: Record<string, string> = {
  'Maximum {0} attachments per message.': 'a constant',
  'Maximum {0} characters': 'a constant',
  "Segment {0} of {1} should match. It isn't among the first {2} results.": 'a constant',
  'A file can have at most {0} questions.': 'a constant',
  'The platform searches at most {0} characters.': 'a constant',
  'The text is longer than {0} characters.': 'a constant',
  'about {0} days': 'two and more: below that, hours are told',
  '{0} days': 'two and more: one is `yesterday`',
  '{0} characters are too many to paste. Save them as a file and attach it.': 'millions',
  '{0} characters were pasted.': 'some thousands: a shorter paste is not told',
  'The newest {0} messages are shown; the older ones are on the platform.': 'a constant',
  'The conversation exceeded the context window of {0} tokens. It was shortened and resent.':
    'the size of a context window',
  'The conversation needs about {0} tokens, and the context window of {1} has {2}, including the answer. Compacting it would free less than 20 %. Choose a model with a larger context window.':
    'more than a context window',
  "The message wasn't sent: it needs about {0} tokens, and the context window of {1} has {2}, including the answer. Shorten the message, remove attachments, or choose a model with a larger context window.":
    'more than a context window',
  '⟨{0} empty lines⟩': 'three and more: fewer stay as they are',
  '{0} of {1} tokens': 'the size of a context window',
  'about {0} tokens': 'in short form, such as 1.5K',
};

describe('numbers on screen', () => {
  it('have a form for one alone, by `plural`', () => {
    const bare = localisedTexts().filter(
      ({ text, within }) => bareCount.test(text) && !within.includes('plural') && !(text in neverOne),
    );
    assert.deepEqual(
      bare.map(({ path, line, text }) => `${path}:${line}: "${text}"`),
      [],
      'wrap these in plural() of src/base/text/format.ts',
    );
  });

  it('have no exception that no text needs', () => {
    const texts = new Set(localisedTexts().map(({ text }) => text));
    assert.deepEqual(
      Object.keys(neverOne).filter((text) => !texts.has(text)),
      [],
    );
  });

  it('are written by the formats of src/base/text alone', () => {
    const formats = ['', 'Size', 'Time', 'Usage'].map((each) => `src/base/text/format${each}.ts`);
    const byHand: [pattern: RegExp, instead: string][] = [
      [/\.toLocale(?:Date|Time)?String\(/, 'formatNumber or formatTime'],
      [/\bIntl\.(?!Segmenter)/, 'formatNumber or formatTime'],
      [/(?:[!=]==\s*1|>\s*1|<\s*2)\s*\?\s*(?:\w+\.)?l10n\s*\.t\(/, 'plural'],
      [/l10n\s*\.t\(\s*'\{0\} (?:s|ms|min)'/, 'formatDuration'],
      [/l10n\s*\.t\(\s*['"][^'"]*\{\d\} (?:[kKMG]B|MiB|bytes)\b/, 'formatSize'],
      [/l10n\s*\.t\(\s*'\{0\} tokens'/, 'formatTokens'],
    ];
    const found = readSources()
      .filter(({ path }) => !formats.includes(path))
      .flatMap(({ path, source }) =>
        byHand.flatMap(([pattern, instead]) => {
          const at = pattern.exec(source)?.index;
          return at === undefined
            ? []
            : [`${path}:${source.slice(0, at).split('\n').length}: use ${instead}`];
        }),
      );
    assert.deepEqual(found, []);
  });

  it('are found by these rules wherever they stand', () => {
    const bare = (source: string) =>
      textsIn('a.ts', source).map(({ text, within }) => bareCount.test(text) && !within.includes('plural'));
    assert.deepEqual(bare("tell(l10n.t('{0} documents', n));"), [true]);
    assert.deepEqual(bare("plural(n, l10n.t('1 document'), l10n.t('{0} open documents (of {1})', n));"), [
      false,
      false,
    ]);
    assert.deepEqual(bare("plural(n, one(), two());\ntell(l10n.t('Deleting {0} segments', n));"), [true]);
    assert.deepEqual(bare("l10n.t('{0} of {1}', a, b)"), [false]);
  });
});
