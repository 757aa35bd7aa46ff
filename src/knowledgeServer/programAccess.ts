import * as z from 'zod/mini';
import { oneLine } from '../base/text/oneLine.ts';
import type { KnowledgeBase } from '../tools/knowledge/source.ts';

const longestName = 60;

const configurationSchema = z.object({
  id: z.string(),
  program: z.string(),
  name: z.string(),
  at: z.number(),
});
export type Configuration = z.infer<typeof configurationSchema>;

const grantSchema = z.object({
  configuration: z.string(),
  /** The name it gave itself: another one asks again. */
  selfName: z.string(),
  folder: z.string(),
  server: z.string(),
  bases: z.array(z.object({ id: z.string(), name: z.string() })),
  /** True if it may see the names of all knowledge bases. */
  canList: z.boolean(),
});
export type Grant = z.infer<typeof grantSchema>;

export interface AccessMemory {
  knowledgePrograms: unknown;
  knowledgeGrants: unknown;
}

export interface Caller {
  configuration: string;
  selfName: string;
  folder: string;
}

export type Wish =
  | { type: 'list'; server: string }
  | { type: 'search' | 'read'; server: string; bases: readonly KnowledgeBase[] };

export type Answer = 'workspace' | 'once' | 'deny';

export interface AccessQuestion {
  caller: Caller;
  /** Undefined for a program that was not set up here: it can't be told from others, so nothing is kept. */
  configured: Configuration | undefined;
  wish: Wish;
}

export type AskAccess = (question: AccessQuestion, signal: AbortSignal) => Promise<Answer | undefined>;

export class ProgramAccess {
  constructor(private readonly memory: AccessMemory) {}

  get configurations(): readonly Configuration[] {
    return readList(configurationSchema, this.memory.knowledgePrograms);
  }

  get grants(): readonly Grant[] {
    return readList(grantSchema, this.memory.knowledgeGrants);
  }

  configuration(id: string): Configuration | undefined {
    return this.configurations.find((each) => each.id === id);
  }

  configured(added: Configuration): void {
    this.memory.knowledgePrograms = [...this.configurations.filter(({ id }) => id !== added.id), added];
  }

  withdrawn(id: string): void {
    this.memory.knowledgePrograms = this.configurations.filter((each) => each.id !== id);
    this.memory.knowledgeGrants = this.grants.filter(({ configuration }) => configuration !== id);
  }

  isAllowed(caller: Caller, wish: Wish): boolean {
    if (!this.configuration(caller.configuration)) return false;
    const grant = this.grants.find((each) => isOf(each, caller, wish.server));
    if (!grant) return false;
    if (wish.type === 'list') return grant.canList;
    return wish.bases.every(({ id }) => grant.bases.some((base) => base.id === id));
  }

  allow({ configuration, selfName, folder }: Caller, wish: Wish): void {
    if (!this.configuration(configuration)) return;
    const caller = { configuration, selfName, folder };
    const before = this.grants.find((each) => isOf(each, caller, wish.server));
    const added = wish.type === 'list' ? [] : wish.bases.map(({ id, name }) => ({ id, name }));
    const known = before?.bases.filter(({ id }) => !added.some((base) => base.id === id)) ?? [];
    const grant: Grant = {
      ...caller,
      server: wish.server,
      bases: [...known, ...added],
      canList: wish.type === 'list' || (before?.canList ?? false),
    };
    this.memory.knowledgeGrants = [...this.grants.filter((each) => !isOf(each, caller, wish.server)), grant];
  }

  remove(grant: Grant): void {
    this.memory.knowledgeGrants = this.grants.filter((each) => !isOf(each, grant, grant.server));
  }
}

/** Asks the user where nothing was allowed yet, one question at a time. A denial holds until the program connects again. */
export class AccessController {
  private asking: Promise<unknown> = Promise.resolve();
  private readonly denied = new Set<string>();

  constructor(
    private readonly access: ProgramAccess,
    private readonly ask: AskAccess,
  ) {}

  async allows(caller: Caller, wish: Wish, signal: AbortSignal): Promise<boolean> {
    const answer = this.asking.then(() => this.decide(caller, wish, signal));
    this.asking = answer.catch(() => {
      // The caller has it; the next question is asked all the same.
    });
    return answer;
  }

  private async decide(caller: Caller, wish: Wish, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (this.access.isAllowed(caller, wish)) return true;
    const key = JSON.stringify(wish.type === 'list' ? 'list' : wish.bases.map(({ id }) => id).toSorted());
    if (this.denied.has(key)) return false;
    const configured = this.access.configuration(caller.configuration);
    const answer = await this.ask({ caller, configured, wish }, signal);
    signal.throwIfAborted();
    if (answer === 'deny') this.denied.add(key);
    if (answer === 'workspace' && configured) this.access.allow(caller, wish);
    return answer === 'once' || answer === 'workspace';
  }
}

/** Program names come from the programs themselves. */
export function shownName(name: string): string {
  return oneLine(name, longestName);
}

/** Measured names that don't begin with the program's own. */
const otherNames: Readonly<Record<string, string>> = { 'qwen-code': 'qwen-cli-mcp-client' };

export function fits({ program, name }: Pick<Configuration, 'program' | 'name'>, selfName: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const self = letters(selfName);
  const names = [program, name, otherNames[program] ?? program].map(letters);
  return names.some((own) => own !== '' && self.startsWith(own));
}

function isOf(grant: Grant, { configuration, selfName, folder }: Caller, server: string): boolean {
  return (
    grant.configuration === configuration &&
    grant.selfName === selfName &&
    grant.folder === folder &&
    grant.server === server
  );
}

function readList<T>(schema: z.ZodMiniType<T>, value: unknown): T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const read = schema.safeParse(each);
    return read.success ? [read.data] : [];
  });
}
