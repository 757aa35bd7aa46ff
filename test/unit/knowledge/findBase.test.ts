import assert from 'node:assert/strict';
import { readBaseIds } from '../../../src/knowledge/findBase.ts';

const one = 'a854dcae-c448-4ca4-ab13-4c4ac336a6a0';
const two = '5d7ffbe4-d11b-4be6-84a0-6c0c89705836';

describe('findBase', () => {
  it('reads ids and addresses of pages, each once', () => {
    const page = `https://console.example.com/datasets/${two}/documents?page=1`;
    assert.deepEqual(readBaseIds(` ${one}, ${page}\n${one.toUpperCase()} `), { ids: [one, two] });
    assert.deepEqual(readBaseIds(`https://console.example.com/datasets/${one}`), { ids: [one] });
    const agent = `https://console.example.com/datasets/new/${one}`;
    const endpoint = `https://api.example.com/v1/knowledge-fs/spaces/${two}`;
    assert.deepEqual(readBaseIds(`${agent} ${endpoint}`), { ids: [one, two] });
    assert.deepEqual(readBaseIds(''), { ids: [] });
  });

  it('names what is neither', () => {
    for (const word of ['Harbour', `https://x.example/apps/${one}`, `${one}0`, '/datasets/../x']) {
      const read = readBaseIds(`${two} ${word}`);
      assert.ok('problem' in read && read.problem.includes(word.slice(0, 40)), word);
    }
  });
});
