import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { maskAnswer } from '../../../../src/base/secrets/maskAnswer.ts';
import { Answer } from '../../../../src/relay/answer.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import { protocols } from '../../../../src/relay/protocols/allProtocols.ts';
import {
  largestAnswerPicture,
  longestPictureData,
  mostAnswerPictures,
} from '../../../../src/relay/pictures/answerPictures.ts';
import { readAnswer } from '../../../../src/relay/protocols/wire.ts';
import { base64Of, dataAddress, pixel, samplePicture } from '../../../support/pictureSamples.ts';
import { joined } from '../replay.ts';

function answer(): Answer {
  return new Answer({
    address: 'https://relay.example/v1',
    reader: protocols['chat-completions'].createReader(),
    toError: () => new SwitchboardError('request', ''),
  });
}

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

function streamed(...deltas: object[]): ModelEvent[] {
  const one = answer();
  const events: ModelEvent[] = [];
  for (const delta of deltas) {
    one.add(chunk(delta));
    events.push(...one.take());
  }
  one.add(chunk({}, 'stop'));
  return joined([...events, ...one.finish('streamed')]).slice(0, -1);
}

function whole(message: object): ModelEvent[] {
  const one = answer();
  one.add({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
  return joined(one.finish('whole')).slice(0, -1);
}

const added = (bytes: Buffer, type = 'image/png') => ({ type: 'pictureAdded', picture: { type, bytes } });
const text = (value: string) => ({ type: 'textAdded', text: value });

describe('pictures in answers of models', () => {
  const url = dataAddress(pixel);
  const forms: Record<string, object> = {
    'images of OpenRouter and LiteLLM': { images: [{ type: 'image_url', image_url: { url } }] },
    'an image that is its address': { images: [url] },
    'a part with image_url': { content: [{ type: 'image_url', image_url: { url } }] },
    'a part with image_url as text': { content: [{ type: 'output_image', image_url: url }] },
    'a part with image': { content: [{ type: 'image', image: url }] },
    'a part of the messages protocol': {
      content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64Of(pixel) } },
      ],
    },
    'a part of base64': { content: [{ type: 'output_image', b64_json: base64Of(pixel) }] },
    'an image in Markdown': { content: `![image](${url})` },
  };
  for (const [what, message] of Object.entries(forms)) {
    it(`come as ${what}, streamed and whole, and are an answer without a word`, () => {
      assert.deepEqual(streamed(message), [added(pixel)]);
      assert.deepEqual(whole(message), [added(pixel)]);
    });
  }

  it('come beside text, in parts, too', () => {
    const content = [
      { type: 'text', text: 'A cat. ' },
      { type: 'image_url', image_url: { url } },
    ];
    assert.deepEqual(whole({ content }), [text('A cat. '), added(pixel)]);
    assert.deepEqual(streamed({ content: 'A ' }, { content: 'cat. ', images: [{ image_url: { url } }] }), [
      text('A cat. '),
      added(pixel),
    ]);
  });

  it('are what their bytes say, and never SVG', () => {
    const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(60)]);
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(60)}</svg>`);
    assert.deepEqual(whole({ images: [dataAddress(gif, 'image/svg+xml')] }), [added(gif, 'image/gif')]);
    for (const type of ['image/svg+xml', 'image/png']) {
      const omitted = [{ type: 'pictureOmitted', reason: 'type' }];
      assert.deepEqual(whole({ images: [dataAddress(svg, type)] }), omitted);
      assert.deepEqual(whole({ content: `![](${dataAddress(svg, type)})` }), omitted);
    }
  });

  it('stay links where their address is remote', () => {
    const images = [{ type: 'image_url', image_url: { url: 'https://pictures.example/a b(1).png?x=<y>' } }];
    assert.deepEqual(whole({ content: 'Here.', images }), [
      text('Here.\n\n![](https://pictures.example/a%20b%281%29.png?x=%3Cy%3E)'),
    ]);
    const content = '![](https://pictures.example/a.png)';
    assert.deepEqual(whole({ content }), [text(content)]);
  });

  it('count once where a relay sends the same one several times', () => {
    const content = `![](${url})`;
    assert.deepEqual(streamed({ images: [url] }, { images: [url], content }), [added(pixel)]);
  });

  it('are sixteen at most, and what is omitted is said once', () => {
    const images = Array.from({ length: mostAnswerPictures + 3 }, (_, n) => dataAddress(samplePicture(n)));
    const events = whole({ images });
    assert.equal(mostAnswerPictures, 16);
    assert.equal(events.filter(({ type }) => type === 'pictureAdded').length, 16);
    assert.deepEqual(events.slice(16), [{ type: 'pictureOmitted', reason: 'count' }]);
  });

  it('have 20 MB at most', () => {
    const largest = base64Of(samplePicture(1, largestAnswerPicture));
    assert.equal(largest.length, longestPictureData);
    // Compared by type, as a failure would print the whole data.
    const typesOf = (data: string) => whole({ images: [data] }).map(({ type }) => type);
    assert.deepEqual(typesOf(largest), ['pictureAdded']);
    assert.deepEqual(typesOf(`${largest}AAAA`), ['pictureOmitted']);
  });

  it('have a limit together, also those that are omitted', () => {
    const one = answer();
    const images = ['A'.repeat(longestPictureData)];
    assert.throws(
      () => {
        for (let n = 0; n < 40; n++) one.add(chunk({ images }));
      },
      { code: 'truncated' },
    );
  });

  it('are not in the text that an error ends', () => {
    const one = answer();
    one.add(chunk({ content: `Look: ![cat](${url.slice(0, 80)}` }));
    assert.deepEqual(joined(one.take()), [text('Look: ')]);
    one.endText();
    assert.deepEqual(one.take(), [{ type: 'pictureOmitted', reason: 'cut' }]);
  });

  it('keep an answer from being idle while their data comes', () => {
    const one = answer();
    one.add(chunk({ content: '![](data:image/png;base64,' }));
    const { size } = one;
    one.add(chunk({ content: 'iVBORw0KGgoAAAAN' }));
    assert.ok(one.size > size);
  });

  it('are not changed by the masking of keys', async () => {
    const key = base64Of(pixel).slice(10, 40);
    async function* batches() {
      yield streamed({ content: `${key} ![](${url})` });
    }
    const events: unknown[] = [];
    for await (const batch of maskAnswer(batches(), [key])) events.push(...batch);
    assert.deepEqual(events, [text('*** '), added(pixel)]);
  });

  it('cost nothing where there are none: a piece of text has no list', () => {
    assert.equal(readAnswer(chunk({ content: 'a' })).pictures, undefined);
    assert.equal(readAnswer(chunk({ content: [{ type: 'text', text: 'a' }] })).pictures, undefined);
  });
});
