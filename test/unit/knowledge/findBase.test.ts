import assert from 'node:assert/strict';
import { type ErrorCode, SwitchboardError } from '../../../src/base/errors/errors.ts';
import { findBase, readBaseIds } from '../../../src/knowledge/findBase.ts';
import type { PlatformClient } from '../../../src/platform/platformClient.ts';

const one = 'a854dcae-c448-4ca4-ab13-4c4ac336a6a0';
const two = '5d7ffbe4-d11b-4be6-84a0-6c0c89705836';

describe('findBase', () => {
  it('looks for one of agents only where the key has no such knowledge base', async () => {
    const opened: string[] = [];
    const clients = (code: ErrorCode, status: number) => ({
      datasets: { get: () => Promise.reject(new SwitchboardError(code, 'No.', { status })) },
      agentBases: { open: async (id: string) => void opened.push(id) },
    });
    const find = (code: ErrorCode, status: number) =>
      findBase(clients(code, status) as unknown as PlatformClient, one, new AbortController().signal);
    for (const code of ['key', 'offline', 'cancelled'] as const)
      await assert.rejects(find(code, 401), { code });
    assert.deepEqual(opened, []);
    assert.deepEqual(await find('request', 404), { id: one, name: '', isAgent: true });
    assert.deepEqual(opened, [one]);
  });

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
