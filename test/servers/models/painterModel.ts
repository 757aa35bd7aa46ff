import { questionOf } from '../relay/chatRequest.ts';
import { piece, type ScriptedModel, text } from '../script/script.ts';
import { paintPicture } from './paintPicture.ts';

/** Characters of a data address in one chunk, as relays cut the text of an answer. */
const chunkCharacters = 300;

export const painterModel: ScriptedModel = {
  id: 'scripted-painter',
  ownedBy: 'gemini',
  describe:
    'Answers with a small picture: "paint by images" (`message.images`), "by parts" (content parts), "by markdown" (a data address in the text, in pieces); "paint 3 by images" paints several, "without a word" only paints, "paint by address" names a remote picture.',
  contextWindow: 32_000,
  maxTokens: 8192,
  *answer(request) {
    const question = questionOf(request);
    const [, count = '1'] = /\bpaint (\d{1,3})\b/i.exec(question) ?? [];
    const [, form = 'images'] = /\bby (images|parts|markdown|address)\b/i.exec(question) ?? [];
    if (!/without a word/i.test(question)) yield text(`A scripted picture, by ${form}:\n\n`);
    for (let number = 0; number < Number(count); number++) {
      const address = `data:image/png;base64,${paintPicture(number).toString('base64')}`;
      if (form === 'markdown') {
        for (const part of `![image](${address})\n`.match(new RegExp(`[^]{1,${chunkCharacters}}`, 'g')) ??
          []) {
          yield piece(part);
        }
      } else if (form === 'address')
        yield { type: 'picture', address: `https://127.0.0.1:1/${number}.png`, as: 'images' };
      else yield { type: 'picture', address, as: form === 'parts' ? 'parts' : 'images' };
    }
  },
};
