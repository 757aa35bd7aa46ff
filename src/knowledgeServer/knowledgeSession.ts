import * as z from 'zod/mini';
import { isCancelled } from '../base/errors/errors.ts';
import { toSwitchboardError } from '../base/errors/toSwitchboardError.ts';
import { redactSecrets } from '../base/secrets/redactSecrets.ts';
import { frame } from '../base/text/frame.ts';
import { oneLine } from '../base/text/oneLine.ts';
import type { ConnectedParts } from '../knowledge/connectedPlatform.ts';
import {
  FoundSources,
  type FoundSourcesDependencies,
  readSourceInput,
  searchKnowledgeInput,
  type SourceReport,
} from '../knowledge/foundSources.ts';
import { chooseBases, searchableBases } from '../knowledge/searchableBases.ts';
import { quoted } from '../tools/knowledge/searchBases.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';
import { ToolFailure } from '../tools/toolFailure.ts';
import { knowledgeTools, runWorkflowDefinition, type ToolDefinition } from './bridge/toolDefinitions.ts';
import {
  AccessController,
  type AskAccess,
  type Caller,
  type ProgramAccess,
  shownName,
} from './programAccess.ts';

const longestLogged = 500;

export interface SessionDependencies extends Pick<FoundSourcesDependencies, 'files' | 'log'> {
  isTrusted(): boolean;
  knowledge(): Promise<Pick<ConnectedParts, 'access' | 'client' | 'knowledge'> | undefined>;
  chosen(): readonly KnowledgeBase[];
  access: ProgramAccess;
  ask: AskAccess;
  offersWorkflows(): boolean;
  /** Asks the user each time. */
  runWorkflow(program: string, input: unknown, signal: AbortSignal): Promise<string>;
  nameOf(caller: Caller): string;
}

const untrusted =
  "The workspace isn't trusted in VS Code, so nothing of it is answered. The user can trust it with the command Manage Workspace Trust.";
const notConnected = 'No platform is connected in VS Code. The user can connect one in Switchboard.';
const denied =
  'The user denied this in VS Code. Go on without it, and do not try again unless the user asks for it.';

export class KnowledgeSession {
  private readonly sources: FoundSources;
  private readonly consent: AccessController;

  constructor(
    private readonly deps: SessionDependencies,
    private readonly hello: Pick<Caller, 'configuration' | 'folder'>,
  ) {
    this.sources = new FoundSources(deps);
    this.consent = new AccessController(deps.access, deps.ask);
  }

  get tools(): readonly ToolDefinition[] {
    return this.deps.offersWorkflows() ? [...knowledgeTools, runWorkflowDefinition] : knowledgeTools;
  }

  /** @param selfName the name that the program gives itself, which nobody checks */
  async call(tool: string, input: unknown, selfName: string, signal: AbortSignal): Promise<SourceReport> {
    const caller = { ...this.hello, selfName: shownName(selfName) };
    if (!this.deps.isTrusted()) return failed(untrusted);
    try {
      switch (tool) {
        case 'search_knowledge':
          return await parsed(searchKnowledgeInput, input, (given) => this.search(caller, given, signal));
        case 'list_knowledge_bases':
          return await this.list(caller, signal);
        case 'read_source':
          return await parsed(readSourceInput, input, (given) => this.read(caller, given, signal));
        case 'run_workflow':
          if (this.deps.offersWorkflows()) return await this.runWorkflow(caller, input, signal);
          return failed('The user offers no workflow.');
        default:
          return failed(`There is no tool ${quoted(tool)}.`);
      }
    } catch (error) {
      if (signal.aborted || isCancelled(error)) throw error;
      if (error instanceof ToolFailure) return failed(error.message);
      const { message, why } = toSwitchboardError(error);
      return failed([message, why].filter(Boolean).join(' '));
    }
  }

  private async search(
    caller: Caller,
    { query, knowledge_bases: names = [], top_k: topK }: z.infer<typeof searchKnowledgeInput>,
    signal: AbortSignal,
  ): Promise<SourceReport> {
    const parts = await this.deps.knowledge();
    if (!parts) return failed(notConnected);
    const byName = await searchableBases(parts.knowledge.bases, signal);
    const { bases, choose } = chooseBases(byName, names, this.deps.chosen());
    // Names may be private: they come with list_knowledge_bases, which asks for itself.
    if (choose) return failed('Name knowledge bases that list_knowledge_bases gives.');
    if (bases.length === 0) return failed('There is no knowledge base.');
    const { origin: server } = parts.access;
    const isAllowed = await this.consent.allows(caller, { type: 'search', server, bases }, signal);
    this.note(caller, `searched ${listed(bases)} for ${question(query)}`, isAllowed);
    if (!isAllowed) return failed(denied);
    return this.sources.search({ query, bases, topK }, signal);
  }

  private async list(caller: Caller, signal: AbortSignal): Promise<SourceReport> {
    const parts = await this.deps.knowledge();
    if (!parts) return failed(notConnected);
    const isAllowed = await this.consent.allows(
      caller,
      { type: 'list', server: parts.access.origin },
      signal,
    );
    this.note(caller, 'listed the knowledge bases', isAllowed);
    if (!isAllowed) return failed(denied);
    const names = [...(await searchableBases(parts.knowledge.bases, signal)).keys()];
    if (names.length === 0) return { text: 'There is no knowledge base.', isError: false, files: [] };
    const body = names.map((name) => `- ${name}`).join('\n');
    return { text: frame({ kind: 'knowledge', facts: {}, body }), isError: false, files: [] };
  }

  private async read(
    caller: Caller,
    { source: n, start_line: startLine, end_line: endLine }: z.infer<typeof readSourceInput>,
    signal: AbortSignal,
  ): Promise<SourceReport> {
    const parts = await this.deps.knowledge();
    if (!parts) return failed(notConnected);
    const source = this.sources.find(n);
    if (source) {
      const bases = [{ id: source.datasetId, name: source.datasetName }];
      const { origin: server } = parts.access;
      const isAllowed = await this.consent.allows(caller, { type: 'read', server, bases }, signal);
      this.note(caller, `read ${quoted(source.documentName)} of ${listed(bases)}`, isAllowed);
      if (!isAllowed) return failed(denied);
    }
    return this.sources.read(n, { startLine, endLine }, signal);
  }

  private async runWorkflow(caller: Caller, input: unknown, signal: AbortSignal): Promise<SourceReport> {
    this.note(caller, 'asked to run a workflow', true);
    const text = await this.deps.runWorkflow(this.deps.nameOf(caller), input, signal);
    return { text: frame({ kind: 'workflow', facts: {}, body: text }), isError: false, files: [] };
  }

  private note(caller: Caller, what: string, isAllowed: boolean): void {
    this.deps.log.info(`${this.deps.nameOf(caller)} ${what}${isAllowed ? '' : ', which was denied'}.`);
  }
}

function question(query: string): string {
  return JSON.stringify(oneLine(redactSecrets(query), longestLogged));
}

function listed(bases: readonly KnowledgeBase[]): string {
  return bases.map(({ name }) => quoted(name)).join(', ');
}

function failed(text: string): SourceReport {
  return { text, isError: true, files: [] };
}

async function parsed<T>(
  schema: z.ZodMiniType<T>,
  input: unknown,
  run: (input: T) => Promise<SourceReport>,
): Promise<SourceReport> {
  const { success, data, error } = schema.safeParse(input ?? {});
  return success ? run(data) : failed(`The input is not valid: ${z.prettifyError(error)}`);
}
