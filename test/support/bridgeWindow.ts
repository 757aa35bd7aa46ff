import { realpath } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../src/base/log.ts';
import { emptyDataset } from './emptyDataset.ts';
import { windowsFolderName } from '../../src/knowledgeServer/bridge/windowRecords.ts';
import { KnowledgeSession, type SessionDependencies } from '../../src/knowledgeServer/knowledgeSession.ts';
import {
  type AccessMemory,
  type AccessQuestion,
  type Answer,
  type Caller,
  ProgramAccess,
} from '../../src/knowledgeServer/programAccess.ts';
import { serveProtocol } from '../../src/knowledgeServer/protocolServer.ts';
import { listenForBridges, type WindowListener } from '../../src/knowledgeServer/windowListener.ts';
import type { FoundSegment } from '../../src/tools/knowledge/source.ts';
import { join } from 'node:path';
import { fakeSegments } from './fakeSegments.ts';
import { toolsUnderTest } from './toolsUnderTest.ts';

export interface SessionParts {
  segments?: readonly FoundSegment[];
  /** Texts of the workspace's files. */
  files?: Record<string, string>;
  bases?: readonly { id: string; name: string }[];
  memory?: AccessMemory;
  /** Replaces the user, who allows once. */
  ask?: (question: AccessQuestion, signal: AbortSignal) => Promise<Answer | undefined>;
  more?: Partial<SessionDependencies>;
}

/** A window's dependencies for programs, with the platform and the user in memory. */
export function sessionUnderTest({
  segments = [],
  files = {},
  bases = [{ id: 'd1', name: 'Harbour' }],
  memory = { knowledgePrograms: undefined, knowledgeGrants: undefined },
  ask = async () => 'once',
  more = {},
}: SessionParts = {}) {
  const asked: AccessQuestion[] = [];
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const log: Log = { debug: () => {}, info: note, warn: note, error: note };
  const { search, asked: searches } = fakeSegments(segments);
  const datasets = bases.map(({ id, name }) => ({ ...emptyDataset(id), name }));
  const knowledge = {
    bases: { state: { type: 'ready', datasets }, load: async () => datasets, isAgent: () => true },
    search: async (...given: Parameters<typeof search>) => {
      const { segments: results, failures } = await search(...given);
      return { results, failures };
    },
  };
  const parts = { access: { origin: 'https://platform.test' }, client: {}, knowledge };
  const access = new ProgramAccess(memory);
  const deps: SessionDependencies = {
    ...{ access, log },
    isTrusted: () => true,
    knowledge: async () => parts as never,
    files: async () => toolsUnderTest(files).dependencies,
    chosen: () => [],
    ask: async (question, signal) => {
      asked.push(question);
      return ask(question, signal);
    },
    offersWorkflows: () => false,
    runWorkflow: async () => 'never',
    nameOf: ({ selfName, configuration }: Caller) =>
      access.configuration(configuration)?.name ?? `?${selfName}`,
    ...more,
  };
  return { deps, access, asked, lines, searches, log };
}

export interface BridgeWindow extends ReturnType<typeof sessionUnderTest> {
  listener: WindowListener;
}

/** An open window as bridges see it. `folder` is that of the script. */
export async function openBridgeWindow(
  folder: string,
  { folders = [], openedAt = 1, ...parts }: SessionParts & { folders?: string[]; openedAt?: number } = {},
): Promise<BridgeWindow> {
  const made = sessionUnderTest(parts);
  const listener = await listenForBridges({
    folder: join(folder, windowsFolderName),
    folders: await Promise.all(folders.map((each) => realpath(each))),
    now: openedAt,
    log: made.log,
    onConnection: (socket, hello) => {
      void serveProtocol(socket, new KnowledgeSession(made.deps, hello), {
        version: '0',
        linkTo: (path) => pathToFileURL(path).href,
        log: made.log,
      });
    },
  });
  return { ...made, listener };
}
