// Retrieval quality on the sample workspace, by the sandbox's real full-text search.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChatController } from '../../../src/chat/chatController.ts';
import { createSearchSegments } from '../../../src/knowledge/searchKnowledge.ts';
import type { StreamModel } from '../../../src/relay/messages.ts';
import { root } from '../../host/paths.ts';
import { type PlatformServer, startPlatform } from '../../servers/platform/platformServer.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { platformUnderTest } from '../../support/platformUnderTest.ts';
import { WorkspaceUnderTest } from '../../support/workspaceUnderTest.ts';

/** A question with its follow-ups, if any, and the document that answers it. */
type Asked = readonly [question: string, document: string];

const conversations: readonly (readonly Asked[])[] = [
  [
    ['When does the lock open?', 'harbour-rules.md'],
    ['And when does it close?', 'harbour-rules.md'],
    ['Who may not go faster than 3 knots, and where?', 'harbour-rules.md'],
  ],
  [
    ['Which VHF channel do visitors report on?', 'harbour-rules.md'],
    ['And where are they to go?', 'harbour-rules.md'],
    ['Thanks!', ''],
    ['Is there anything else about that?', 'harbour-rules.md'],
  ],
  [
    ['How large must the margin be in calm weather?', 'heights.md'],
    ['And otherwise?', 'heights.md'],
    ['Why is that?', 'heights.md'],
  ],
  [
    ['How high is the sill at the marina above chart datum?', 'heights.md'],
    ['What is meant by that?', 'heights.md'],
  ],
  [
    ['Where is the rule of twelfths used?', 'tides.ts'],
    ['What is still missing there?', 'tides.ts'],
  ],
  [
    [
      'What does the script that imports the CSV of the harbour master do about summer time?',
      'import_tides.py',
    ],
    ['Show me how it does that', 'import_tides.py'],
  ],
  [
    ['Why would the program print "Not today"?', 'main.ts'],
    ['Where else could that come from?', 'main.ts'],
  ],
  [
    ['How is the first moment found at which a boat clears the sill?', 'departure.ts'],
    ['What should it depend on?', 'departure.ts'],
  ],
  [
    ['What is this library for, and how is the command line used?', 'README.md'],
    ['And the folders?', 'README.md'],
  ],
  [
    ['Wie weit ist es nach Altmühle?', 'häfen.md'],
    ['Und nach Søndervig?', 'häfen.md'],
  ],
  [['青い港までの距離は', 'häfen.md']],
  [
    ['访客应该停靠在哪个浮桥？', '访客须知.md'],
    ['那里的电费呢？', '访客须知.md'],
    ['为什么？', '访客须知.md'],
  ],
  [
    ['冬季加油站几点关门', '加油.md'],
    ['夏天呢？', '加油.md'],
    ['谢谢', ''],
    ['它在哪里？', '加油.md'],
  ],
];

const chinese = {
  'zh/访客须知.md':
    '# 访客须知\n\n访客船只停靠在三号浮桥，最多停留七天。\n\n岸电按实际用电收费，每度电两元，因为港口自己不发电。\n',
  'zh/加油.md': '# 加油站\n\n加油站位于北码头。夏季开放到晚上八点，冬季下午四点关门。\n',
  'zh/潮汐.md': '# 潮汐\n\n一天有两次高潮和两次低潮，船闸在高潮前后两小时开放。\n',
};

describe('questions about the sample workspace', () => {
  let server: PlatformServer;
  let workspace: WorkspaceUnderTest;
  const toClean: (() => unknown)[] = [];
  after(async () => {
    for (const clean of toClean.toReversed()) await clean();
  });

  let ask: (questions: readonly string[], isSpread: boolean) => Promise<string[][]>;
  before(async () => {
    const sample = join(root, 'test/workspace');
    const files = readdirSync(sample, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    workspace = new WorkspaceUnderTest({
      ...Object.fromEntries(
        files.map((file) => {
          const path = join(file.parentPath, file.name);
          return [path.slice(sample.length + 1), readFileSync(path)];
        }),
      ),
      ...chinese,
    });
    toClean.push(() => workspace.dispose());
    server = await startPlatform({ indexing: 'instant', keywordScores: 'zero' });
    toClean.push(() => server.stop());
    const { client, http } = platformUnderTest({ baseUrl: server.url, key: server.datasetKey });
    toClean.push(() => http.dispose());
    const { signal } = workspace;
    const window = workspace.open(client);
    const bases: { id: string; name: string }[] = [];
    const add = async (name: string, folders: readonly string[]) => {
      const { id } = await client.datasets.create({ name, technique: 'economical' }, signal);
      for (const folder of folders) assert.deepEqual((await window.send(id, folder)).failed, []);
      bases.push({ id, name });
    };
    await add('All', ['']);
    await add('Documents', ['docs', 'README.md']);
    await add('Programs', ['src', 'tools']);
    await add('中文', ['zh']);

    ask = async (questions, isSpread) => {
      const chat = new ChatController({
        ...chatDependencies({
          streamModel: citesFirst,
          searchSegments: createSearchSegments(async () => window.knowledge),
        }),
      });
      chat.shown.choices.chooseKnowledge(isSpread ? bases.slice(1) : bases.slice(0, 1));
      const found: string[][] = [];
      for (const question of questions) {
        await chat.shown.submit(question);
        const at = chat.shown.conversation.all.findLastIndex(({ type }) => type === 'user');
        const search = chat.shown.conversation.all.slice(at).find((item) => item.type === 'search');
        const names = search?.outcome.findings.sources.map(({ documentName }) =>
          documentName.replace(/^.*[/\u2215]/, ''),
        );
        found.push([...new Set(names)]);
      }
      return found;
    };
  });

  const citesFirst: StreamModel = async function* ({ messages }) {
    const [, first] = /^\[(\d+)\]/m.exec(messages.at(-1)?.content ?? '') ?? [];
    yield { type: 'requestSent' };
    yield { type: 'textAdded', text: first ? `It says so [${first}].` : 'I do not know.' };
    yield { type: 'modelFinished', reason: 'stop' };
  };

  for (const isSpread of [false, true]) {
    for (const questions of conversations) {
      const [[first] = ['']] = questions;
      it(`${first} (${isSpread ? 'three knowledge bases' : 'one knowledge base'})`, async () => {
        const found = await ask(
          questions.map(([question]) => question),
          isSpread,
        );
        questions.forEach(([question, document], at) => {
          const firstThree = found[at]?.slice(0, 3) ?? [];
          if (document === '') assert.deepEqual(found[at], [], question);
          else assert.ok(firstThree.includes(document), `${question}: ${found[at]?.join(', ')}`);
        });
      });
    }
  }
});
