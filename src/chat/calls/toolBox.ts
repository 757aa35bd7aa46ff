import * as l10n from '@vscode/l10n';
import type { ToolDefinition } from '../../relay/messages.ts';
import type { EditJournal } from '../../tools/editJournal.ts';
import { protectionMessage } from '../../tools/policy/protectionMessage.ts';
import type {
  AlwaysRule,
  CallRule,
  Proposal,
  Tool,
  ToolContext,
  ToolResult,
  ToolRisk,
  ToolRule,
} from '../../tools/tool.ts';
import type { PreparedCall, ToolSet } from '../../tools/toolSet.ts';
import type { ToolOutcome, ToolState } from '../events.ts';
import type { Mode, Permissions } from '../modes/mode.ts';
import { modeRefusal } from '../modes/modeRefusal.ts';
import type { Call } from './call.ts';

/** What the loop needs of tools: to offer them, to look a call up, to run it. */
export interface ToolBox {
  /** What the model is offered, the same in every mode. */
  definitions(): readonly ToolDefinition[];
  /** Never throws: an unknown tool or arguments that do not fit are a problem, written for the model. */
  prepare(call: Call): ReadyCall | { problem: string };
}

/** What the tools of one turn are given of it. */
export interface TurnParts {
  conversationId: string;
  /** Where edits are recorded. */
  journal: EditJournal;
  /** What the user lets models do in the conversation at this moment. */
  permissions(): Permissions;
  /** Searches the knowledge bases chosen for the conversation; undefined as long as there are none. */
  groundingTool(): Tool | undefined;
}

export interface ReadyCall {
  /** What people call a tool of others. */
  title?: string;
  /** Reads may run beside each other; everything else runs alone, in the order asked. */
  isRead: boolean;
  /**
   * Asks the user where that is needed, then runs. Throws only when aborted; a denial or a failure is an outcome.
   * `onState` hears when the user is asked and when work begins.
   */
  run(signal: AbortSignal, onState: (state: ToolState) => void): Promise<Outcome>;
}

type Outcome = Omit<ToolOutcome, 'durationMs'>;

/** What the user is asked before a call runs. */
export interface Question extends Readonly<Pick<Call, 'id' | 'name' | 'title' | 'input'>> {
  /** The edit that would be made, for a diff. */
  proposal?: Proposal;
  /**
   * Why no rule can answer this question, in the user's language: the file is protected, or the model wrote the call
   * into its text. "Always allow" is not to be offered, and an answer holds for this call alone.
   */
  why?: string;
  /** What "Always allow" stands for, where that is not the tool in this conversation. */
  always?: AlwaysRule;
}

export type Decision = { allow: true } | { allow: false; reason?: string };

/** The user's say over tools. */
export interface Consent {
  /** What settings say of a tool; undefined leaves it to its risk: reads are free, the rest is asked for. */
  ruleFor(name: string): ToolRule | undefined;
  /** Shows what would be done and waits for the answer. Rejects when aborted. */
  ask(question: Question, signal: AbortSignal): Promise<Decision>;
}

/** The tools of a tool set, run with the user's consent, as far as the mode of the conversation lets them. */
export function createToolBox(
  toolSet: () => ToolSet,
  consent: Consent,
  permissions: () => Permissions,
  contextFor: (signal: AbortSignal) => ToolContext,
): ToolBox {
  return {
    // The mode leaves out none, though it will refuse some: definitions stand before all that was said, so that with
    // another set of them all of it would have to be sent again, as from Plan to Agent all that was read for the plan.
    // What the mode allows is told in the message, and enforced below.
    definitions: () => toolSet().definitions.filter(({ name }) => consent.ruleFor(name) !== 'deny'),
    prepare(call) {
      const prepared = toolSet().prepare(call);
      if ('problem' in prepared) return prepared;
      const { title, risk } = prepared;
      return {
        ...(title !== undefined && { title }),
        isRead: risk === 'read' && consent.ruleFor(prepared.name) !== 'ask',
        run: (signal, onState) =>
          runWithConsent(call, prepared, { consent, permissions, onState }, contextFor(signal)),
      };
    },
  };
}

async function runWithConsent(
  { id, isText }: Call,
  call: PreparedCall,
  {
    consent,
    permissions,
    onState,
  }: { consent: Consent; permissions(): Permissions; onState(state: ToolState): void },
  context: ToolContext,
): Promise<Outcome> {
  const { name, title, input, risk } = call;
  // Whatever the model was offered: the mode is enforced where a call would run.
  const { mode, approvals } = permissions();
  const refusal = modeRefusal(mode, call);
  if (refusal !== undefined) return refused(refusal, mode);
  const isFree = risk === 'read' || (risk === 'edit' && approvals === 'editsAllowed');
  const toolRule = consent.ruleFor(name) ?? (isFree ? 'allow' : 'ask');
  if (toolRule === 'deny') return denied(`The user's settings do not allow ${name}.`);
  const own: CallRule | ToolResult | undefined = call.judge && (await call.judge(toolRule, context));
  if (own && 'isError' in own) return toOutcome(own);
  if (own?.rule === 'deny')
    return denied(own.denial ?? `The user's settings do not allow this call of ${name}.`);
  let proposal: Proposal | undefined;
  if (call.propose) {
    const proposed = await call.propose(context);
    if (!('apply' in proposed)) return toOutcome(proposed);
    proposal = proposed;
  }
  const why = proposal?.protection
    ? protectionMessage(proposal.protection)
    : (own?.why ?? (isText ? textCallMessage(risk) : undefined));
  if ((own?.rule ?? toolRule) === 'ask' || why !== undefined) {
    onState('asking');
    const question: Question = {
      ...{ id, name, input: own?.shown ?? input },
      ...(title !== undefined && { title }),
      ...(proposal && { proposal }),
      ...(why !== undefined ? { why } : own?.always && { always: own.always }),
    };
    const decision = await consent.ask(question, context.signal);
    if (!decision.allow) {
      const { reason } = decision;
      return denied(reason ? `The user denied this call and said: ${reason}` : 'The user denied this call.');
    }
    // The mode may have become a stricter one while the user was asked.
    const { mode: later } = permissions();
    const laterRefusal = modeRefusal(later, call);
    if (laterRefusal !== undefined) return refused(laterRefusal, later);
  }
  onState('running');
  return toOutcome(proposal ? await proposal.apply(context) : await call.run(context));
}

function textCallMessage(risk: ToolRisk): string | undefined {
  if (risk === 'read') return undefined;
  return l10n.t('The model wrote this call into its answer, so it needs your approval each time.');
}

function refused(content: string, { name }: Mode): Outcome {
  return { state: 'denied', content, refusedBy: name };
}

function denied(content: string): Outcome {
  return { state: 'denied', content };
}

function toOutcome(result: ToolResult): Outcome {
  const { content, isError, locations, withheld, findings, count, hasMore, note, isInBackground, changed } =
    result;
  return {
    state: isError ? 'failed' : 'done',
    content,
    ...(locations?.length && { locations: [...locations] }),
    ...(withheld?.length && { withheld: withheld.map(({ forUser }) => forUser) }),
    ...(findings && { findings }),
    ...(count !== undefined && { count, ...(hasMore && { hasMore }) }),
    ...(note !== undefined && { note }),
    ...(isInBackground && { isInBackground }),
    ...(changed && { changed }),
  };
}
