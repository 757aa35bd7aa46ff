// Runs knowledge tests without an editor, as in CI: built to dist/knowledgeTests.mjs.
import { readFile, realpath, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isUnencrypted, normaliseAddress } from '../base/address.ts';
import { messageOf, SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { setFormatLocale } from '../base/text/format.ts';
import { inline } from '../base/text/oneLine.ts';
import { KnowledgeBases } from '../knowledge/knowledgeBases.ts';
import { searchKnowledge } from '../knowledge/searchKnowledge.ts';
import { createHttpClient } from '../net/httpClient.ts';
import type { Dialect } from '../platform/platformDialect.ts';
import { createPlatformClient } from '../platform/platformClient.ts';
import { createRelayClient } from '../relay/relayClient.ts';
import { groundedAnswer } from './groundedAnswer.ts';
import { PlaceMatcher, type TestedFiles } from './placeMatch.ts';
import { type Answers, runQuestion } from './runQuestion.ts';
import { findBases, type TestedKnowledge } from './testedKnowledge.ts';
import { readTestFile, type TestFile } from './testFile.ts';
import { describeMeasures, measure, reportLines, type TestedQuestion } from './testReport.ts';

const usage = `Usage: node knowledgeTests.mjs <file.knowledge-test.yaml> …

Run in the folder that the paths of the files begin at. The environment holds:
  SWITCHBOARD_PLATFORM_URL   address of the platform
  SWITCHBOARD_KNOWLEDGE_KEY  knowledge base key (dataset-…)
And to check answers, which are skipped without all three:
  SWITCHBOARD_RELAY_URL      address of the relay
  SWITCHBOARD_RELAY_KEY      its key (sk-…)
  SWITCHBOARD_MODEL          model that answers

Exits with 0 if all questions passed or only their answers were skipped, 1 if one didn't, 2 if they couldn't be run.`;

const largestFile = 10_000_000;

const quiet = () => undefined;
const log: Log = {
  debug: quiet,
  info: quiet,
  warn: (text) => console.error(text),
  error: (text) => console.error(text),
};

/** Prints the table and returns the exit code. Throws a `SwitchboardError` if nothing can be run. */
async function run(paths: readonly string[], env: NodeJS.ProcessEnv): Promise<0 | 1> {
  const { SWITCHBOARD_PLATFORM_URL: url = '', SWITCHBOARD_KNOWLEDGE_KEY: key = '' } = env;
  if (paths.length === 0 || url === '' || key === '') throw new SwitchboardError('settings', usage);
  const baseUrl = readAddress('SWITCHBOARD_PLATFORM_URL', url);
  const files = await Promise.all(paths.map(readTests));
  const http = createHttpClient({ settings: () => ({ noProxy: [], strictTls: true }), log });
  try {
    const answers = connectModel(http, env);
    const tested = connect(http, { baseUrl, key }, files);
    const { signal } = new AbortController();
    const datasets = await tested.knowledge.bases.load(signal);
    const matcher = new PlaceMatcher(filesBelow(process.cwd()));
    const all: TestedQuestion[] = [];
    for (const { path, bases, questions } of files) {
      const searched = findBases(bases, datasets);
      console.log(inline(path));
      const own: TestedQuestion[] = [];
      for (const question of questions) {
        const outcome = await runQuestion({ tested, datasets: searched, matcher, answers }, question, signal);
        own.push({ text: question.text, outcome });
        for (const line of reportLines(own.at(-1)!)) console.log(line);
      }
      console.log(`${describeMeasures(measure(own))}\n`);
      all.push(...own);
    }
    if (files.length > 1) console.log(describeMeasures(measure(all)));
    return all.every(({ outcome: { type } }) => type === 'passed' || type === 'skipped') ? 0 : 1;
  } finally {
    http.dispose();
  }
}

function readAddress(name: string, url: string): string {
  const address = normaliseAddress(url);
  if ('problem' in address) throw new SwitchboardError('settings', `${name}: ${address.problem}`);
  if (isUnencrypted(address)) console.error(`The key is sent unencrypted: ${name} begins with http://.`);
  return address.baseUrl;
}

const timeouts = { connectMs: 30_000, firstTokenMs: 120_000, idleMs: 60_000 };

function connectModel(http: ReturnType<typeof createHttpClient>, env: NodeJS.ProcessEnv): Answers {
  const names = ['SWITCHBOARD_RELAY_URL', 'SWITCHBOARD_RELAY_KEY', 'SWITCHBOARD_MODEL'] as const;
  const [url = '', key = '', model = ''] = names.map((name) => env[name]?.trim());
  const missing = names.filter((name) => !env[name]?.trim());
  if (missing.length > 0) return { skipped: `${missing.join(', ')} not set.` };
  const connection = { baseUrl: readAddress(names[0], url), key, headers: {} };
  const { ask } = createRelayClient({ http, log, timeouts, connection });
  return {
    ask: (question, found, signal) =>
      groundedAnswer(ask, { model, stream: true }, { question, found }, signal),
  };
}

async function readTests(path: string): Promise<TestFile & { path: string }> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new SwitchboardError('local-file', `${inline(path)}: ${messageOf(error)}`);
  });
  const file = readTestFile(text);
  if (file.problems.length === 0) return { ...file, path };
  const lines = file.problems.map(({ start, message }) => {
    const line = text.slice(0, start).split(/\r\n|\r|\n/).length;
    return `${inline(path)}:${line}: ${message}`;
  });
  throw new SwitchboardError('local-file', lines.join('\n'));
}

/** The platform with no manifest: documents are known by their names, and each knowledge base's own settings count. */
function connect(
  http: ReturnType<typeof createHttpClient>,
  connection: { baseUrl: string; key: string },
  files: readonly TestFile[],
): TestedKnowledge {
  let dialect: Dialect = {};
  const client = createPlatformClient({
    ...{ http, connection, log },
    dialects: { get: () => dialect, learn: (_, found) => (dialect = { ...dialect, ...found }) },
    timeouts,
  });
  const names = new Set(files.flatMap(({ bases }) => bases));
  const bases = new KnowledgeBases({
    client,
    // A key that was made for some knowledge bases lists none: the files name them by their ids.
    added: () => [...names].map((id) => ({ id, name: id })),
    closing: new AbortController().signal,
    onChange: quiet,
    onDeleted: async () => undefined,
  });
  const originOf = async () => undefined;
  const parts = { client, bases, log, manifests: { originOf }, searchSettings: quiet };
  return {
    ...{ client, log },
    knowledge: {
      ...{ bases, originOf, searchSettings: quiet },
      search: (request, signal) => searchKnowledge(parts, request, signal),
    },
  };
}

function filesBelow(folder: string): TestedFiles {
  return {
    pathOf: (file) => file,
    async read(path) {
      try {
        const [base, file] = await Promise.all([realpath(folder), realpath(resolve(folder, path))]);
        if (relative(base, file).split(sep)[0] === '..' || (await stat(file)).size > largestFile)
          return undefined;
        const text = await readFile(file, 'utf8');
        return text.includes('\0') ? undefined : text;
      } catch {
        // A document of others has no file here.
        return undefined;
      }
    },
  };
}

setFormatLocale('en');
try {
  process.exitCode = await run(process.argv.slice(2), process.env);
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
