import * as l10n from '@vscode/l10n';
import type { ToolDefinition } from '../../relay/messages.ts';
import type { EditJournal } from '../../tools/edits/editJournal.ts';
import { protectionMessage } from '../../tools/policy/protectionMessage.ts';
import type {
  AlwaysRule,
  BoundCall,
  CallProgress,
  CallRule,
  Proposal,
  Tool,
  ToolContext,
  ToolIdentity,
  ToolResult,
  ToolRisk,
  ToolRule,
} from '../../tools/tool.ts';
import type { ToolSet } from '../../tools/toolSet.ts';
import type { ToolOutcome, ToolState } from '../store/events.ts';
import type { Call } from './call.ts';
import { allowanceLabel } from './grantLabels.ts';
import { allowanceOf, ruleOf, type Allowance, type Permissions } from './grants.ts';
import { updatePlanName } from '../../tools/plan/planSteps.ts';
import type { Mode } from '../modes/mode.ts';

export interface ToolBox {
  /** The same definitions in every mode. */
  definitions(): readonly ToolDefinition[];
  /** Never throws: unknown tools and invalid arguments yield a problem, worded for the model. */
  prepare(call: Call): ReadyCall;
}

export interface TurnParts {
  conversationId: string;
  journal: EditJournal;
  permissions(): Permissions;
  groundingTool(): Tool | undefined;
  /** True if the user named or attached one of these paths, or one of these tools was called. */
  mentions(words: readonly string[]): boolean;
}

export type ReadyCall = { call: Call } & (
  | {
      /** While an edit awaits what follows it, only another edit may begin. */
      isEdit?: boolean;
      /** Reads may run in parallel; everything else runs alone, in order. */
      isRead: boolean;
      /** Throws only when aborted; denials and failures are outcomes. `onState` is awaited before work begins. */
      run(
        signal: AbortSignal,
        onState: (state: ToolState) => Promise<void>,
        progress?: CallProgress,
      ): Promise<Outcome>;
    }
  | { problem: string }
);

type Outcome = Omit<ToolOutcome, 'durationMs'>;

export interface Question extends Readonly<Pick<Call, 'id' | 'name' | 'title' | 'input'>> {
  proposal?: Proposal;
  /** The reason why no rule can answer this question, in the user's language. The answer applies to this call only. */
  why?: string;
  /** Allowing it must take more deliberate action than usual. */
  isDangerous?: true;
  always?: AlwaysRule;
  /** Names in `input` that need no display, because they don't change the effect of the call. */
  usual?: readonly string[];
  isUnfolded?: true;
}

export type Decision = { allow: true } | { allow: false; reason?: string };

export interface Consent {
  /** Rule from the settings; undefined defers to the risk: reads run, everything else asks. */
  ruleFor(tool: ToolIdentity): ToolRule | undefined;
  ask(question: Question, signal: AbortSignal): Promise<Decision>;
}

export function createToolBox(
  toolSet: () => ToolSet,
  consent: Consent,
  permissions: () => Permissions,
  contextFor: (signal: AbortSignal) => ToolContext,
): ToolBox {
  return {
    // Includes tools that the mode refuses: definitions precede all messages, so changing them would invalidate the
    // vendor's prompt cache. The message states what the mode allows, and it is enforced below.
    definitions() {
      const tools = toolSet();
      return tools.definitions.filter(({ name }) => consent.ruleFor(tools.get(name) ?? { name }) !== 'deny');
    },
    prepare(call) {
      const bound = toolSet().prepare(call);
      if ('problem' in bound) return { call, problem: bound.problem };
      const { tool } = bound;
      const { title, risk } = tool;
      return {
        call: { ...call, ...(title !== undefined && { title }) },
        isRead: risk === 'read' && ruleOf(tool, consent.ruleFor(tool), permissions()) === 'allow',
        isEdit: risk === 'edit',
        run: (signal, onState, progress) => {
          const context = { ...contextFor(signal), callId: call.id, ...progress };
          return runWithConsent(call, bound, { consent, permissions, onState }, context);
        },
      };
    },
  };
}

async function runWithConsent(
  { id, isText }: Call,
  { tool, ...bound }: BoundCall & { tool: Tool },
  {
    consent,
    permissions,
    onState,
  }: { consent: Consent; permissions(): Permissions; onState(state: ToolState): Promise<void> },
  context: ToolContext,
): Promise<Outcome> {
  const { name, title, risk } = tool;
  const toolRule = () => ruleOf(tool, consent.ruleFor(tool), permissions());
  /** Mode and settings are enforced where a call runs, whatever the model was offered. */
  const refusal = (): Outcome | undefined => {
    const { mode } = permissions();
    const why = modeRefusal(mode, tool);
    if (why !== undefined) return { state: 'denied', content: why, refusedBy: mode.name };
    return toolRule() === 'deny' ? denied(`The user's settings do not allow ${name}.`) : undefined;
  };
  // A window that isn't in view doesn't follow changes made in other windows.
  const isAsked = risk !== 'read' || consent.ruleFor(tool) === 'ask';
  const refreshing = isAsked ? permissions().refresh?.() : undefined;
  if (refreshing) await refreshing;
  const refused = refusal();
  if (refused) return refused;
  const own: CallRule | ToolResult | undefined = bound.judge && (await bound.judge(toolRule(), context));
  if (own && 'isError' in own) return toOutcome(own);
  if (own?.rule === 'deny')
    return denied(own.denial ?? `The user's settings do not allow this call of ${name}.`);
  let proposal: Proposal | undefined;
  if (bound.propose) {
    const proposed = await bound.propose(context);
    if (!('apply' in proposed)) return toOutcome(proposed);
    proposal = proposed;
  }
  const why = proposal?.protection
    ? protectionMessage(proposal.protection)
    : (own?.why ?? (isText ? textCallMessage(risk) : undefined));
  // Permissions may have changed while the edit was prepared.
  if ((own?.rule ?? toolRule()) !== 'allow' || why !== undefined) {
    const always = own ? own.always : alwaysRule(allowanceOf(tool, consent.ruleFor(tool)), permissions);
    const question: Question = {
      ...{ id, name, input: own?.shown ?? bound.input },
      ...(title !== undefined && { title }),
      ...(proposal && { proposal }),
      ...(own?.usual && { usual: own.usual }),
      ...(own?.isDangerous && { isDangerous: true }),
      ...(why !== undefined ? { why } : always && { always }),
    };
    // The question waits before its state is shown: what shows a call that asks looks the question up.
    const [decision] = await Promise.all([consent.ask(question, context.signal), onState('asking')]);
    if (!decision.allow) {
      const { reason } = decision;
      return denied(reason ? `The user denied this call and said: ${reason}` : 'The user denied this call.');
    }
  }
  // The mode may have become stricter since.
  const refusedLater = refusal();
  if (refusedLater) return refusedLater;
  await onState('running');
  return toOutcome(proposal ? await proposal.apply(context) : await bound.run(context));
}

function alwaysRule(allowance: Allowance, permissions: () => Permissions): AlwaysRule {
  return { label: allowanceLabel(allowance), keep: () => permissions().allow(allowance) };
}

function textCallMessage(risk: ToolRisk): string | undefined {
  if (risk === 'read') return undefined;
  return l10n.t('The model wrote this call into its answer, so it needs your approval each time.');
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

export function modeRefusal(mode: Mode, tool: { name: string; risk: ToolRisk }): string | undefined {
  const way = `The user can choose another mode with the button "Mode: ${mode.name}" below the message box.`;
  if (mode.id === 'ask' && tool.name === updatePlanName)
    return `Not run: in the mode "${mode.name}" nothing is carried out, so there is no plan to keep. Go on without it.`;
  if (mode.isReadOnly && tool.risk !== 'read') {
    const why = mode.isMissing ? 'the file that describes it cannot be read, so' : 'in it';
    return `Not run: the mode "${mode.name}" is on, and ${why} only tools that read are run; ${tool.name} can change things. Nothing was changed. Go on without it, or tell the user what is to be done. ${way}`;
  }
  if (mode.tools && !mode.tools.has(tool.name)) {
    return `Not run: ${tool.name} is none of the tools of the mode "${mode.name}". Nothing was changed. Go on without it. ${way}`;
  }
  return undefined;
}
