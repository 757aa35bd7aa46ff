import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DataAddressReader } from '../../../../src/relay/pictures/dataAddressReader.ts';
import { longestPictureData } from '../../../../src/relay/pictures/answerPictures.ts';
import { base64Of, dataAddress, pixel, samplePicture } from '../../../support/pictureSamples.ts';

interface Read {
  text: string;
  pictures: string[];
  omitted: string[];
}

function read(pieces: Iterable<string>): Read & { mostHeld: number } {
  const result: Read = { text: '', pictures: [], omitted: [] };
  let given = 0;
  let seen = 0;
  let mostHeld = 0;
  const reader = new DataAddressReader({
    text: (text) => {
      result.text += text;
      seen += text.length;
    },
    counted: (characters) => (seen += characters),
    picture: (base64) => base64.startsWith('iVBOR') && result.pictures.push(base64) > 0,
    omitted: (reason) => result.omitted.push(reason),
  });
  for (const piece of pieces) {
    reader.add(piece);
    given += piece.length;
    mostHeld = Math.max(mostHeld, given - seen);
  }
  reader.end();
  return { ...result, mostHeld };
}

const words = ({ text, pictures, omitted }: Read) => ({ text, pictures: pictures.length, omitted });

describe('DataAddressReader', () => {
  const png = dataAddress(pixel);
  const large = dataAddress(samplePicture(1, 2000));
  const cases: [what: string, text: string, Omit<Read, 'pictures'> & { pictures: number }][] = [
    ['a Markdown image', `A ![cat](${png}) b`, { text: 'A  b', pictures: 1, omitted: [] }],
    ['one with a title', `![](<${png}> "A (cat)")!`, { text: '!', pictures: 1, omitted: [] }],
    ['several', `![a](${png})![b](${png})`, { text: '', pictures: 2, omitted: [] }],
    ['one after code', `\`\`\`\nx\n\`\`\`\n![](${png})`, { text: '```\nx\n```\n', pictures: 1, omitted: [] }],
    ['a long address by itself', `See ${large} there`, { text: 'See  there', pictures: 1, omitted: [] }],
    ['upper case', `![](${png.replace('data:image', 'DATA:Image')})`, { text: '', pictures: 1, omitted: [] }],
    [
      'what is no picture',
      `![](data:image/svg+xml;base64,${base64Of(Buffer.from('<svg>'.repeat(20)))})`,
      { text: '', pictures: 0, omitted: ['type'] },
    ],
    ['one that is cut', `Look: ![](${png.slice(0, 90)}`, { text: 'Look: ', pictures: 0, omitted: ['cut'] }],
  ];
  for (const [what, text, expected] of cases) {
    it(`takes ${what} out of the text, in any pieces`, () => {
      assert.deepEqual(words(read([text])), expected);
      assert.deepEqual(words(read(text)), expected);
      for (let at = 0; at <= text.length; at++) {
        assert.deepEqual(words(read([text.slice(0, at), text.slice(at)])), expected, String(at));
      }
    });
  }

  for (const text of [
    'Hello! Is it [this](https://example.com/a.png)? ![that](https://example.com/b.png) data: good',
    `\`\`\`html\n<img src="${large}">\n![](${png})\n\`\`\`\nend`,
    `In code: \`![](${png})\` stays`,
    '![](data:image/png;base64,iVBOR…) and data:image/png;base64,iVBORw0KGgo= are examples',
    'data:image/svg+xml;utf8,<svg onload=alert(1)>',
    `![never closed ${'x'.repeat(700)}`,
    `~~~\n\`\`\`\n![](${png})\n~~~`,
    'and d da dat data data: data:i',
  ]) {
    it(`leaves ${JSON.stringify(text.slice(0, 50))} as it is`, () => {
      assert.deepEqual(words(read([text])), { text, pictures: 0, omitted: [] });
      assert.deepEqual(words(read(text)), { text, pictures: 0, omitted: [] });
    });
  }

  it('gives back the words and the pictures of any answer, however it is cut', () => {
    const word = fc.constantFrom(
      'Hello ',
      '!',
      '![',
      '](',
      'data:',
      'd',
      '\n',
      'data:image/',
      'é🎉',
      '(',
      '[x] ',
    );
    const part = fc.oneof(
      { weight: 4, arbitrary: fc.array(word, { maxLength: 6 }).map((list) => ({ text: list.join('') })) },
      { weight: 1, arbitrary: fc.nat(255).map((number) => ({ number })) },
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(4000)), (parts, places) => {
        // On its own line, so that no word before it counts as a part of it.
        const whole = parts.map((each) =>
          'text' in each ? each.text : `\n![p](${dataAddress(samplePicture(each.number))})`,
        );
        const text = whole.join('');
        const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].toSorted((a, b) => a - b);
        const pieces = [0, ...cuts].map((from, n) => text.slice(from, cuts[n] ?? text.length));
        const result = read(pieces);
        assert.equal(result.text, parts.map((each) => ('text' in each ? each.text : '\n')).join(''));
        assert.deepEqual(
          result.pictures,
          parts.flatMap((each) => ('text' in each ? [] : [base64Of(samplePicture(each.number))])),
        );
        assert.deepEqual(result.omitted, []);
      }),
    );
  });

  it('says no base64 of a large picture, and keeps no more than one of the largest size', () => {
    const piece = 'A'.repeat(1 << 16);
    const count = Math.ceil(longestPictureData / piece.length) + 2;
    const pieces = ['Here: ![](data:image/png;base64,', ...Array<string>(count).fill(piece), ') done'];
    assert.deepEqual(words(read(pieces)), { text: 'Here:  done', pictures: 0, omitted: ['size'] });
  });

  it('holds back no more of a text than a Markdown image may have before its data', () => {
    const { text, mostHeld } = read(
      `![${'a'.repeat(5000)}![![![ data:image/${'x'.repeat(5000)} ${'!['.repeat(900)}`,
    );
    assert.ok(mostHeld < 700, String(mostHeld));
    assert.equal(text.length, 2 + 5000 + 7 + 11 + 5000 + 1 + 1800);
  });
});
