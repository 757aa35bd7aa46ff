import assert from 'node:assert/strict';
import { AppCalls } from './platform/apps/appCalls.ts';
import { type PlatformServer, type Sandbox, startSandbox } from './sandbox.ts';
import { readJson, withSandbox } from './testClient.ts';

interface Parameters {
  opening_statement: string;
  suggested_questions: string[];
  suggested_questions_after_answer: { enabled: boolean };
  user_input_form: Record<
    string,
    { variable: string; required: boolean; options?: string[]; max_length?: number }
  >[];
  file_upload: { enabled: boolean; allowed_file_types: string[]; number_limits: number };
  system_parameters: Record<string, number>;
}

describe('sandbox apps: what is behind a key', () => {
  let sandbox: Sandbox;
  let platform: PlatformServer;
  before(async () => {
    sandbox = await startSandbox();
    platform = sandbox.platform;
  });
  after(() => sandbox.stop());

  it('has a key of its own for every app, which tells the app', async () => {
    const keys = platform.apps.all.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    for (const app of platform.apps.all) {
      const info = await readJson<{ name: string; mode: string; tags: string[] }>(
        await new AppCalls(platform, app).get('/info'),
      );
      assert.deepEqual([info.name, info.mode], [app.name, app.mode]);
      assert.ok(app.key.startsWith('app-sandbox'));
    }
  });

  it('has an app of every mode', () => {
    const { chat, agent, chatflow, completion, workflow } = platform.apps;
    const modes = [chat, agent, chatflow, completion, workflow].map(({ mode }) => mode);
    assert.deepEqual(modes, ['chat', 'agent-chat', 'advanced-chat', 'completion', 'workflow']);
    assert.equal(platform.appKey, chat.key);
  });

  it('tells opening, form and limits', async () => {
    const read = async (app: PlatformServer['apps']['chat']) =>
      readJson<Parameters>(await new AppCalls(platform, app).get('/parameters'));
    const chat = await read(platform.apps.chat);
    assert.match(chat.opening_statement, /Tide helper/);
    assert.equal(chat.suggested_questions.length, 2);
    assert.equal(chat.suggested_questions_after_answer.enabled, true);
    assert.equal(chat.file_upload.number_limits, 3);
    assert.equal(chat.system_parameters.file_size_limit, 15);
    const form = await read(platform.apps.form);
    const kinds = new Set(form.user_input_form.flatMap((entry) => Object.keys(entry)));
    for (const kind of ['text-input', 'paragraph', 'number', 'select', 'checkbox', 'file', 'file-list']) {
      assert.ok(kinds.has(kind), kind);
    }
    for (const kind of ['json_object', 'external_data_tool', 'voyage-picker'])
      assert.ok(kinds.has(kind), kind);
    assert.deepEqual(
      form.user_input_form.flatMap(Object.values).flatMap((field) => (field.required ? field.variable : [])),
      ['boat', 'draught', 'harbour'],
    );
    assert.equal(form.file_upload.enabled, false);
  });

  it('tells the icons of tools, and the site', async () => {
    const agent = new AppCalls(platform, platform.apps.agent);
    const { tool_icons } = await readJson<{ tool_icons: Record<string, unknown> }>(await agent.get('/meta'));
    assert.deepEqual(Object.keys(tool_icons), ['tide_table', 'chart_plotter']);
    assert.equal((await readJson<{ title: string }>(await agent.get('/site'))).title, 'Harbour agent');
  });

  it('says that an app without configuration is unavailable', async () => {
    const calls = new AppCalls(platform, platform.apps.unavailable);
    for (const response of [await calls.get('/parameters'), await calls.start('Hello')]) {
      assert.equal(response.status, 400);
      assert.equal((await readJson<{ code: string }>(response)).code, 'app_unavailable');
    }
    assert.equal((await calls.get('/info')).status, 200);
  });

  it('refuses keys that open no app', async () => {
    for (const [key, status] of [
      [platform.keys.unknown, 401],
      [platform.datasetKey, 401],
      [platform.keys.deletedApp, 403],
      [platform.keys.disabledApp, 403],
    ] as const) {
      const calls = new AppCalls(platform, { ...platform.apps.chat, key });
      assert.equal((await calls.start('Hello')).status, status);
    }
    const response = await fetch(`${platform.url}/v1/datasets`, {
      headers: { Authorization: `Bearer ${platform.apps.agent.key}` },
    });
    assert.equal(response.status, 401);
  });

  it('knows a path by its methods', async () => {
    assert.equal((await new AppCalls(platform, platform.apps.chat).send('PUT', '/messages')).status, 405);
  });

  it('leaves out what old servers do not have', () =>
    withSandbox(
      async (old) => {
        const calls = new AppCalls(old.platform, old.platform.apps.chat);
        const info = await readJson<Record<string, unknown>>(await calls.get('/info'));
        assert.deepEqual(Object.keys(info), ['name', 'description', 'tags']);
        assert.equal((await calls.get('/site')).status, 404);
      },
      { platform: { version: '1.3.0' } },
    ));

  it("serves a test's own app", () =>
    withSandbox(
      async (own) => {
        const app = own.platform.apps.all[0]!;
        assert.equal(app.key, 'app-mine');
        const { text } = await new AppCalls(own.platform, app).ask('Hello');
        assert.equal(text, 'Mine.');
      },
      {
        platform: {
          apps: [
            {
              mode: 'chat',
              key: 'app-mine',
              name: 'Mine',
              describe: '',
              answer: () => [{ type: 'text', text: 'Mine.' }],
            },
          ],
        },
      },
    ));
});
