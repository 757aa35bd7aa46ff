import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { AppCalls } from './platform/apps/appCalls.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson, withSandbox } from './testClient.ts';

interface Page<T> {
  limit: number;
  has_more: boolean;
  data: T[];
}

interface Conversation {
  id: string;
  name: string;
  inputs: Record<string, unknown>;
  updated_at: number;
}

interface Message {
  id: string;
  query: string;
  answer: string;
  parent_message_id: string;
  feedback: { rating: string } | null;
  agent_thoughts: { id: string; thought: string }[];
  retriever_resources: object[];
  message_files: { filename: string }[];
}

interface Variable {
  id: string;
  name: string;
  value_type: string;
  value: string;
}

describe('sandbox apps: history and feedback', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  let chat: AppCalls;
  beforeEach(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
    chat = new AppCalls(platform, platform.apps.chat);
  });
  afterEach(() => sandbox.stop());

  /** @returns the conversation's id */
  async function begin(query: string, more: object = {}): Promise<string> {
    const { events } = await chat.ask(query, more);
    return events[0]!.conversation_id!;
  }
  const list = async (query = '') => readJson<Page<Conversation>>(await chat.get(`/conversations${query}`));
  const messagesOf = async (id: string, query = '') =>
    readJson<Page<Message>>(await chat.get(`/messages?conversation_id=${id}${query}`));

  it('lists conversations by their last change, page by page', async () => {
    const ids = [await begin('One'), await begin('Two'), await begin('Three')];
    await chat.ask('Again', { conversation_id: ids[0] });
    const first = await list('?limit=2');
    assert.deepEqual(
      first.data.map(({ name }) => name),
      ['One', 'Three'],
    );
    assert.equal(first.has_more, true);
    const second = await list(`?limit=2&last_id=${first.data[1]!.id}`);
    assert.deepEqual([second.data.map(({ name }) => name), second.has_more], [['Two'], false]);
    const oldest = await list('?sort_by=created_at');
    assert.deepEqual(
      oldest.data.map(({ id }) => id),
      ids,
    );
    assert.equal((await chat.get(`/conversations?last_id=${randomUUID()}`)).status, 404);
    for (const wrong of ['sort_by=name', 'limit=0', 'limit=101']) {
      assert.equal((await chat.get(`/conversations?${wrong}`)).status, 400, wrong);
    }
    const bob = new AppCalls(platform, platform.apps.chat, 'bob');
    assert.equal((await readJson<Page<Conversation>>(await bob.get('/conversations'))).data.length, 0);
  });

  it('names conversations, and lets them be named', async () => {
    const id = await begin('How high is the water at the sill of the marina?');
    assert.equal((await list()).data[0]!.name, 'How high is the water at');
    await begin('Unnamed', { auto_generate_name: false });
    assert.equal((await list()).data[0]!.name, 'New conversation');
    const rename = (body: object) => chat.post(`/conversations/${id}/name`, body);
    assert.equal((await readJson<Conversation>(await rename({ name: 'Sill' }))).name, 'Sill');
    assert.equal((await list()).data[0]!.name, 'Sill');
    const named = await readJson<Conversation>(await rename({ auto_generate: true }));
    assert.equal(named.name, 'How high is the water at');
    assert.equal((await rename({})).status, 400);
    assert.equal((await chat.post(`/conversations/${randomUUID()}/name`, { name: 'x' })).status, 404);
    assert.equal(
      (await chat.post('/conversations/no-uuid/name', { name: 'x' })).headers.get('Content-Type'),
      'text/html; charset=utf-8',
    );
  });

  it('deletes conversations', async () => {
    const id = await begin('Hello');
    const remove = () => chat.send('DELETE', `/conversations/${id}`, { user: chat.user });
    assert.equal((await remove()).status, 204);
    assert.equal((await list()).data.length, 0);
    assert.equal((await remove()).status, 404);
    assert.equal((await chat.start('Hello', { conversation_id: id })).status, 404);
  });

  it('gives messages oldest first in a page, and older pages after newer ones', async () => {
    const id = await begin('One');
    for (const query of ['Two', 'Three']) await chat.ask(query, { conversation_id: id });
    const newest = await messagesOf(id, '&limit=2');
    assert.deepEqual(
      newest.data.map(({ query }) => query),
      ['Two', 'Three'],
    );
    assert.equal(newest.has_more, true);
    const oldest = await messagesOf(id, `&limit=2&first_id=${newest.data[0]!.id}`);
    assert.deepEqual([oldest.data.map(({ query }) => query), oldest.has_more], [['One'], false]);
    assert.equal(newest.data[0]!.parent_message_id, oldest.data[0]!.id);
    assert.equal(oldest.data[0]!.parent_message_id, '00000000-0000-0000-0000-000000000000');
    assert.match(newest.data[0]!.answer, /> Two/);
    for (const [path, status] of [
      [`/messages?conversation_id=${id}&first_id=${randomUUID()}`, 404],
      [`/messages?conversation_id=${randomUUID()}`, 404],
      ['/messages?conversation_id=x', 400],
      ['/messages', 400],
    ] as const) {
      assert.equal((await chat.get(path)).status, status, path);
    }
  });

  it('keeps thoughts, sources and files with their messages', async () => {
    chat = new AppCalls(platform, platform.apps.agent);
    const upload = await chat.uploaded('notes.md', 'Notes');
    const files = [{ type: 'document', transfer_method: 'local_file', upload_file_id: upload }];
    const { data } = await messagesOf(await begin('When does the lock open?', { files }));
    const [message] = data;
    assert.equal(message!.agent_thoughts.length, 2);
    assert.ok(message!.agent_thoughts.every(({ thought }) => thought !== ''));
    assert.ok(message!.retriever_resources.length > 0);
    assert.deepEqual(
      message!.message_files.map(({ filename }) => filename),
      ['notes.md'],
    );
  });

  it('suggests what to ask next, where that is on', async () => {
    const { events } = await chat.ask('Hello');
    const path = `/messages/${events[0]!.message_id}/suggested`;
    const suggested = await readJson<{ data: string[] }>(await chat.get(path));
    assert.ok(suggested.data.length > 1);
    assert.equal((await chat.send('GET', path)).status, 400, 'a user is needed');
    assert.equal((await chat.get(`/messages/${randomUUID()}/suggested`)).status, 404);
    const form = new AppCalls(platform, platform.apps.form);
    const other = await form.ask('Plan', { inputs: { boat: 'B', draught: 1, harbour: 'Altmühle' } });
    const off = await form.get(`/messages/${other.events[0]!.message_id}/suggested`);
    assert.equal(off.status, 400);
    assert.equal((await readJson<{ message: string }>(off)).message, 'Suggested Questions Is Disabled.');
  });

  it('takes feedback, and takes it back', async () => {
    const { events } = await chat.ask('Hello');
    const { message_id: id, conversation_id } = events[0]!;
    const rate = (body: object) => chat.post(`/messages/${id}/feedbacks`, body);
    const rating = async () => (await messagesOf(conversation_id!)).data[0]!.feedback;
    const all = async () =>
      (await readJson<{ data: { rating: string; content: string }[] }>(await chat.get('/app/feedbacks')))
        .data;
    assert.deepEqual(await readJson(await rate({ rating: 'like', content: 'Good' })), { result: 'success' });
    assert.deepEqual(await rating(), { rating: 'like' });
    assert.deepEqual(
      (await all()).map((one) => [one.rating, one.content]),
      [['like', 'Good']],
    );
    await rate({ rating: 'dislike' });
    assert.deepEqual(await rating(), { rating: 'dislike' });
    await rate({ rating: null });
    assert.equal(await rating(), null);
    assert.deepEqual(await all(), []);
    assert.equal((await rate({ rating: null })).status, 400);
    assert.equal((await rate({ rating: 'love' })).status, 400);
    assert.equal((await chat.post(`/messages/${randomUUID()}/feedbacks`, { rating: 'like' })).status, 404);
  });

  it('keeps the variables of a chatflow', async () => {
    chat = new AppCalls(platform, platform.apps.chatflow);
    const id = await begin('One');
    await chat.ask('Two', { conversation_id: id });
    const path = `/conversations/${id}/variables`;
    const read = async (query = '') => (await readJson<Page<Variable>>(await chat.get(path + query))).data;
    const variables = await read();
    assert.deepEqual(
      variables.map(({ name, value, value_type }) => [name, value, value_type]),
      [
        ['questions', '2', 'number'],
        ['language', 'English', 'string'],
      ],
    );
    const [questions, language] = variables;
    const set = (variable: Variable, value: unknown) =>
      chat.send('PUT', `${path}/${variable.id}`, { value, user: chat.user });
    assert.equal((await readJson<Variable>(await set(language!, 'Deutsch'))).value, 'Deutsch');
    assert.equal((await read('?variable_name=language'))[0]!.value, 'Deutsch');
    const mismatch = await set(questions!, 'many');
    assert.equal(mismatch.status, 400);
    assert.match((await readJson<{ message: string }>(mismatch)).message, /expects number, but got string/);
    assert.equal((await set({ ...questions!, id: randomUUID() }, 1)).status, 404);
  });

  it('answers a deletion as its version does', () =>
    withSandbox(
      async ({ platform: old }) => {
        const calls = new AppCalls(old, old.apps.chat);
        const { events } = await calls.ask('Hello');
        const path = `/conversations/${events[0]!.conversation_id}`;
        const response = await calls.send('DELETE', path, { user: calls.user });
        assert.deepEqual([response.status, await response.json()], [200, { result: 'success' }]);
      },
      { platform: { version: '1.1.0' } },
    ));
});
