import { isCancelled, rejudge, SwitchboardError } from '../../base/errors/errors.ts';
import type { RetryPolicy } from '../../net/retries.ts';
import type { ModelEvent, ModelRequest, SignedReasoning, ToolCall, Usage } from '../messages.ts';
import type { ModelProfiles } from '../profile/modelFacts.ts';
import type { RelayContext } from '../relayCall.ts';
import type { RefusedParameter } from '../protocols/refusedParameters.ts';
import { needsResponses } from '../protocols/responsesNeeded.ts';
import { createStreamModel, askModel, type AskModel } from '../streamModel.ts';
import type { CheckLimits, ReplyForm } from './checkLimits.ts';

export interface ProbeOutcome {
  isAnswered: boolean;
  text: string;
  reasoning: string;
  signed: readonly SignedReasoning[];
  calls: readonly ToolCall[];
  usage?: Usage;
  isCut: boolean;
  model?: string;
  refused: readonly RefusedParameter[];
  reply?: ReplyForm;
  failure?: SwitchboardError;
}

export interface ProbeContext {
  context: RelayContext;
  limits: CheckLimits;
  profiles: ModelProfiles;
  meter?: ((ask: AskModel) => Promise<AskModel>) | undefined;
  signal: AbortSignal;
}

const once: RetryPolicy = { retries: 0, firstMs: 0, maxMs: 0, maxAskedMs: 0 };
/** In characters; for answers that ignore the token limit. */
const longestAnswer = 4_000;

export async function askProbe(
  { context, limits, profiles, meter, signal }: ProbeContext,
  request: ModelRequest,
  furtherTokens?: number,
): Promise<ProbeOutcome> {
  const counted = limits.count(context.http, furtherTokens);
  const { connection, timeouts, log } = context;
  const streamModel = createStreamModel({
    connection,
    timeouts,
    log,
    profiles,
    http: counted.http,
    retry: once,
    rateLimitRetry: once,
  });
  const unmetered = askModel(streamModel);
  const ask = meter ? await meter(unmetered) : unmetered;
  const found = {
    isAnswered: false,
    isCut: false,
    text: '',
    reasoning: '',
    signed: [],
    calls: [],
    refused: [],
  } as Gathered;
  try {
    await ask(request, signal, (event) => {
      gather(found, event);
      if (found.text.length + found.reasoning.length <= longestAnswer) return undefined;
      found.isAnswered = true;
      return 'enough';
    });
  } catch (error) {
    if (!(error instanceof SwitchboardError) && !isCancelled(error)) throw error;
    found.failure =
      error instanceof SwitchboardError
        ? asRefusal(error)
        : new SwitchboardError('cancelled', '', { cause: error });
  }
  const said = [found.text, found.reasoning, ...found.calls.map(({ name, arguments: args }) => name + args)];
  counted.settle(said.join(''), found.usage);
  return { ...found, ...(counted.reply && { reply: counted.reply }) };
}

/** A check chooses the protocol itself, so needing another one is no wrong setting. */
function asRefusal(failure: SwitchboardError): SwitchboardError {
  return needsResponses(failure) ? rejudge(failure, 'request', failure.message) : failure;
}

type Gathered = {
  -readonly [Name in keyof ProbeOutcome]: ProbeOutcome[Name] extends readonly (infer T)[]
    ? T[]
    : ProbeOutcome[Name];
};

function gather(found: Gathered, event: ModelEvent): void {
  switch (event.type) {
    case 'textAdded':
      found.text += event.text;
      break;
    case 'reasoningAdded':
      found.reasoning += event.text;
      break;
    case 'reasoningSigned':
      found.signed.push(...event.blocks);
      break;
    case 'toolCallsCompleted':
      found.calls.push(...event.calls);
      break;
    case 'parameterRefused':
      found.refused.push(event.refused);
      break;
    case 'modelFinished':
      found.isAnswered = true;
      found.isCut = event.reason === 'length';
      if (event.usage) found.usage = event.usage;
      if (event.model !== undefined) found.model = event.model;
      break;
    default:
  }
}
