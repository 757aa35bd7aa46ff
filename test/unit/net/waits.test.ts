import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readWait, readWaitInText } from '../../../src/net/waits.ts';
import { processorMs } from '../../support/processorTime.ts';

describe('readWait', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const rows: [headers: Record<string, string>, ms: number | undefined][] = [
    [{}, undefined],
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'llm_provider-retry-after': '600' }, 600_000],
    [{ 'llm_provider-retry-after': '600', 'retry-after': '5' }, 5000],
    // A wait has an upper limit of a year, and large numbers don't overflow.
    [{ 'retry-after': '999999999999999' }, 366 * 24 * 3_600_000],
    [{ 'retry-after': '9'.repeat(400) }, undefined],
  ];
  for (const [headers, ms] of rows) {
    it(`reads ${JSON.stringify(headers).slice(0, 80)}`, () => assert.equal(readWait(headers, '', now), ms));
  }

  it('believes a header before the words', () => {
    assert.equal(readWait({ 'retry-after': '3' }, 'Please try again in 20s.', now), 3000);
    assert.equal(readWait({}, 'Please try again in 20s.', now), 20_000);
  });
});

describe('readWaitInText', () => {
  const rows: [text: string, ms: number | undefined][] = [
    ['Rate limit reached: Limit 3, Used 3. Please try again in 2s.', 2000],
    ['Please try again in 600s.', 600_000],
    ['Please try again in 20ms. Visit https://example.com', 20],
    ['Please try again in 7.66s.', 7660],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h2m3.5s', 3_723_500],
    ['No deployments available for selected model, Try again in 5 seconds.', 5000],
    ['Please retry in 34.07s.', 34_070],
    ['Please retry after 1 minute, 5 seconds', 65_000],
    ['try again in about 2 hours', 7_200_000],
    ['Please wait 30 sec before the next request', 30_000],
    ['try again in 5 months', undefined],
    ['try again in a minute', undefined],
    ['try again in 5', undefined],
    ['try again later; 20s left', undefined],
    ['请在 30 秒后重试', 30_000],
    ['请 2 分钟后再试', 120_000],
    ['1分钟内最多请求10次', undefined],
    ['', undefined],
  ];
  for (const [text, ms] of rows) it(`reads "${text}"`, () => assert.equal(readWaitInText(text), ms));

  it('reads back every wait in every way of writing it, whatever stands around', () => {
    const units = {
      ms: 1,
      s: 1000,
      sec: 1000,
      seconds: 1000,
      m: 60_000,
      min: 60_000,
      minutes: 60_000,
      h: 3_600_000,
    };
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii' }).filter((text) => !/\d/.test(text)),
        fc.integer({ min: 0, max: 99_999 }),
        fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])),
        fc.constantFrom('', ' '),
        (before, count, unit, space) => {
          const ms = readWaitInText(`${before} Try again in ${count}${space}${unit}.`);
          assert.equal(ms, count * units[unit]);
        },
      ),
    );
  });

  it('gives a sensible number or nothing for any text', () => {
    const words = fc.constantFrom(
      'try again in ',
      'retry ',
      'please wait ',
      '9',
      '.',
      'ms',
      's',
      ' ',
      ', ',
      'and ',
      '秒',
      '后',
      'h',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }), (parts) => {
        const ms = readWaitInText(parts.join(''));
        assert.ok(ms === undefined || (Number.isFinite(ms) && ms >= 0));
      }),
    );
  });

  it('takes time that grows with the text alone', () => {
    const took = (text: string) => processorMs(() => readWaitInText(text));
    for (const piece of [
      'try again in ',
      'try again in 1',
      '1',
      '1 ',
      '9.',
      'retry retry ',
      'please wait 1s ',
      '秒',
    ]) {
      // Half a megabyte: quadratic time would be minutes.
      assert.ok(took(piece.repeat(500_000 / piece.length)) < 1500, piece);
    }
  });
});
