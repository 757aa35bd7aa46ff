import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatNumber, plural, setFormatLocale } from '../../../../src/base/text/format.ts';
import { formatSize, formatSizeOver, megabyte } from '../../../../src/base/text/formatSize.ts';
import { formatDuration, formatTime } from '../../../../src/base/text/formatTime.ts';
import { formatCompact, formatMoney, formatTokens } from '../../../../src/base/text/formatUsage.ts';

describe('money', () => {
  it('has as many digits as it takes to say something', () => {
    assert.deepEqual(
      [1234.5, 0.5, 0.00123, 0.0000021, 0].map((amount) => formatMoney(amount, 'USD')),
      ['$1,234.50', '$0.50', '$0.0012', '$0.0000021', '$0.00'],
    );
  });

  it("is written with a server's own sign where no standard knows it", () => {
    assert.equal(formatMoney(2, '₡'), '₡2.00');
    assert.equal(formatMoney(2, 'CNY'), 'CN¥2.00');
  });
});

describe('format', () => {
  beforeEach(() => setFormatLocale('en'));

  const sizes: [bytes: number, text: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 KB'],
    [1024, '1 KB'],
    [1234, '1.2 KB'],
    [35_000, '34 KB'],
    [1_023_000, '999 KB'],
    [1_024_000, '1 MB'],
    [15 * 1024 * 1024, '15 MB'],
    [1_300_000_000, '1.2 GB'],
  ];
  for (const [bytes, text] of sizes) {
    it(`writes ${bytes} bytes as ${text}`, () => assert.equal(formatSize(bytes), text));
  }

  const durations: [ms: number, exact: string, about: string][] = [
    [0, '0 ms', '0 s'],
    [340, '340 ms', '1 s'],
    [2340, '2.3 s', '3 s'],
    [45_000, '45 s', '45 s'],
    [59_600, '1 min', '1 min'],
    [185_000, '3 min 5 s', '4 min'],
    [600_000, '10 min', '10 min'],
    [3_600_000, '1 h', 'about an hour'],
    [3_900_000, '1 h 5 min', 'about an hour'],
    [18_000_000, '5 h', 'about 5 hours'],
    [259_200_000, '72 h', 'about 3 days'],
  ];
  for (const [ms, exact, about] of durations) {
    it(`writes ${ms} ms as ${exact}, or ${about}`, () => {
      assert.equal(formatDuration(ms), exact);
      assert.equal(formatDuration(ms, 'about'), about);
    });
  }

  it('writes numbers with separators, and counts in short', () => {
    assert.equal(formatNumber(1008), '1,008');
    assert.deepEqual([950, 1500, 128_000, 999_499, 1_000_000, 1_048_576].map(formatCompact), [
      '950',
      '1.5K',
      '128K',
      '999K',
      '1M',
      '1M',
    ]);
    setFormatLocale('de');
    assert.equal(formatNumber(1008), '1.008');
    setFormatLocale('not a language');
    assert.match(formatNumber(12), /^12$/);
  });

  it('writes context windows as vendors do', () => {
    for (const [tokens, text] of [
      [512, '512'],
      [8192, '8K'],
      [131_072, '128K'],
      [200_000, '200K'],
      [1_500_000, '1.5M'],
      [16_385, '16K'],
    ] as const) {
      assert.equal(formatCompact(tokens), text);
    }
  });

  it('writes a size over a limit so that it never reads like the limit', () => {
    assert.equal(formatSizeOver(16 * megabyte, 15 * megabyte), '16 MB');
    assert.equal(formatSizeOver(15 * megabyte + 1, 15 * megabyte), '15.1 MB');
    assert.equal(formatSizeOver(5 * megabyte + 1, 5 * megabyte), '5.1 MB');
    assert.equal(formatSizeOver(1001, 1000), '0.98 KB');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2e9 }), fc.integer({ min: 1, max: 2e9 }), (limit, excess) => {
        assert.notEqual(formatSizeOver(limit + excess, limit), formatSize(limit));
      }),
    );
  });

  it('counts tokens', () => {
    assert.deepEqual([0, 1, 1008].map(formatTokens), ['0 tokens', '1 token', '1,008 tokens']);
  });

  it('writes a date with its time in the language', () => {
    const at = new Date(2026, 10, 21, 15, 4).getTime();
    assert.equal(formatTime(at).replace(/\s/g, ' '), 'Nov 21, 2026, 3:04 PM');
    setFormatLocale('zh-cn');
    assert.equal(formatTime(at), '2026年11月21日 15:04');
  });

  it('takes the singular for one alone', () => {
    assert.deepEqual(
      [0, 1, 2].map((count) => plural(count, 'one', 'other')),
      ['other', 'one', 'other'],
    );
  });

  it('never writes four digits before a unit of size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_000_000_000_000 }), (bytes) => {
        assert.match(formatSize(bytes), /^\d{1,3}(\.\d)? (B|KB|MB|GB|TB)$/);
      }),
    );
  });
});
