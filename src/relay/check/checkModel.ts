import * as l10n from '@vscode/l10n';
import { asObject, parseJson } from '../../base/json.ts';
import type { ErrorCode } from '../../base/errors/errors.ts';
import { refusesTools } from '../profile/lessons.ts';
import type { Cost, Message, Protocol, ToolCall } from '../messages.ts';
import { createProfiles, type ModelFacts, type ModelProfiles } from '../profile/modelFacts.ts';
import type { Price } from '../prices/price.ts';
import { protocols } from '../protocols/allProtocols.ts';
import { lacksResponses, needsResponses } from '../protocols/responsesNeeded.ts';
import type { RelayContext } from '../relayCall.ts';
import { askProbe, type ProbeOutcome } from './askProbe.ts';
import { type CheckOutcomes, costsOf, endsCheck, findingsOf, isRefusal, isSeen } from './checkFindings.ts';
import { answerTokens, CheckLimits, mostAnswerTokens, mostRequests, mostTokens } from './checkLimits.ts';
import { type ModelCheck, protocolLabel, wordCleaner } from './checkReport.ts';
import {
  callsProbe,
  effortProbe,
  furtherProbe,
  pictureProbe,
  pictureTokens,
  type Probe,
  readyProbe,
} from './probeRequests.ts';
import type { AskModel } from '../streamModel.ts';

export interface CheckOptions {
  model: string;
  price?: Price | undefined;
  signal: AbortSignal;
  onStep(step: string): void;
  meter?: (ask: AskModel) => Promise<AskModel>;
}

/** Ignores learnt facts, except the listed protocol and the user's settings. Never throws for failures of the relay. */
export async function checkModel(context: RelayContext, options: CheckOptions): Promise<ModelCheck> {
  const run = new CheckRun(context, options);
  await run.askProtocols();
  await run.askCalls();
  await run.askPicture();
  await run.askEffort();
  await run.askCallsAgain();
  return run.finish();
}

/** Assumes the more expensive kind for as many tokens as possible. */
export function mostCost(price: Price): Cost {
  const input = Math.max(price.prompt, price.cached ?? 0, price.cacheWrite ?? 0);
  const answers = price.completion > input ? mostAnswerTokens : 0;
  const tokens = (mostTokens - answers) * input + answers * price.completion;
  return { amount: tokens + mostRequests * (price.request ?? 0), currency: price.currency, kind: 'atMost' };
}

const protocolNames = Object.keys(protocols) as Protocol[];
const callsLabel = () => l10n.t('Tool calls');

class CheckRun {
  private readonly limits = new CheckLimits();
  private readonly learnt = createProfiles();
  private readonly answers = new Map<Protocol, ProbeOutcome | undefined>();
  private readonly outcomes: Partial<Pick<CheckOutcomes, 'calls' | 'results' | 'picture' | 'effort'>> = {};
  private protocol: Protocol | undefined;
  private needsResponses = false;
  private isLong = true;
  private endedBy: ErrorCode | undefined;

  constructor(
    private readonly context: RelayContext,
    private readonly options: CheckOptions,
  ) {}

  async askProtocols(): Promise<void> {
    for (const name of protocolNames) {
      const probe = name === 'chat-completions' ? readyProbe : furtherProbe;
      this.answers.set(name, await this.ask(protocolLabel(name), probe, name));
    }
    const { profiles } = this.context;
    const { model } = this.options;
    const wanted = profiles?.chosenProtocol?.(model) ?? profiles?.facts(model).protocol;
    const isReferred = isReferral(this.answers.get('chat-completions'));
    const referred: readonly Protocol[] = isReferred ? ['responses'] : [];
    this.protocol = [wanted, ...referred, ...protocolNames].find(
      (name) => name && this.answers.get(name)?.isAnswered,
    );
  }

  async askCalls(): Promise<void> {
    const probe = callsProbe(true);
    const called = await this.ask(callsLabel(), probe);
    if (called) this.outcomes.calls = called;
    if (this.protocol === 'responses' || !isReferral(called)) return this.askResults(probe);
    this.needsResponses = true;
    const isServed = this.answers.get('responses')?.isAnswered === true;
    if (isServed) this.protocol = 'responses';
    this.learnt.learn(this.options.model, { effortWithTools: isServed }, 'check');
  }

  async askPicture(): Promise<void> {
    const isShort = !this.limits.hasRequests(this.needsResponses ? 4 : 2);
    const probe = pictureProbe(isShort);
    const picture = await this.ask(l10n.t('Image input'), probe, this.protocol, pictureTokens);
    if (picture) this.outcomes.picture = picture;
    if (isShort && picture?.isAnswered) this.outcomes.effort = picture;
  }

  async askEffort(): Promise<void> {
    if (this.outcomes.effort) return;
    const effort = await this.ask(l10n.t('Reasoning effort'), effortProbe);
    if (effort) this.outcomes.effort = effort;
  }

  /** Repeats calls that chat completions refused. Last, because they cost the most. */
  async askCallsAgain(): Promise<void> {
    if (!this.needsResponses) return;
    this.isLong = this.limits.fitsTwice(JSON.stringify(callsProbe(true)).length);
    const probe = callsProbe(this.isLong);
    const called = await this.ask(callsLabel(), probe);
    if (!called) return;
    this.outcomes.calls = called;
    await this.askResults(probe);
  }

  finish(): ModelCheck {
    const { model, price } = this.options;
    const facts = this.facts();
    if (this.protocol) this.context.profiles?.learn(model, facts, 'check');
    const outcomes: CheckOutcomes = {
      model,
      answers: this.answers,
      ...this.outcomes,
      price,
      facts: { ...this.learnt.facts(model), ...facts },
      ...(this.protocol && { protocol: this.protocol }),
      isLong: this.isLong,
      skipReason: this.skipReason(),
      clean: wordCleaner(this.context.connection),
    };
    const { requests, tokens } = this.limits;
    return {
      model,
      requests,
      tokens: Math.ceil(tokens),
      facts,
      ...(this.protocol && { protocol: this.protocol }),
      costs: costsOf(outcomes),
      findings: findingsOf(outcomes),
      ...(this.endedBy && { endedBy: this.endedBy }),
    };
  }

  private async askResults(probe: Probe): Promise<void> {
    const { calls: called } = this.outcomes;
    if (!called?.isAnswered) return;
    const messages = [...probe.messages, ...this.answerTo(called)];
    const given = await this.ask(l10n.t('Tool results'), { ...probe, messages, maxTokens: answerTokens });
    if (given) this.outcomes.results = given;
  }

  private async ask(
    step: string,
    probe: Probe,
    protocol = this.protocol,
    furtherTokens?: number,
  ): Promise<ProbeOutcome | undefined> {
    const { context, limits } = this;
    const { model, signal, onStep, meter } = this.options;
    if (!protocol || this.endedBy || signal.aborted) return undefined;
    onStep(step);
    limits.isReached = false;
    const profiles = this.profilesFor(protocol);
    const outcome = await askProbe(
      { context, limits, profiles, meter, signal },
      { ...probe, model },
      furtherTokens,
    );
    const { failure } = outcome;
    if (limits.isReached) return undefined;
    const isServed = !this.protocol && [...this.answers.values()].some((each) => each?.isAnswered);
    if (failure && endsCheck(failure, isServed)) this.endedBy = failure.code;
    return failure?.code === 'cancelled' ? undefined : outcome;
  }

  private profilesFor(protocol: Protocol): ModelProfiles {
    const { body = {}, headers } = this.context.profiles?.extras?.(this.options.model) ?? {};
    // The user's limit would replace the check's.
    const fields = Object.entries(body).filter(([name]) => !/^max_\w*tokens$/.test(name));
    return {
      ...this.learnt,
      chosenProtocol: () => protocol,
      extras: () => ({ body: Object.fromEntries(fields), headers }),
    };
  }

  private answerTo({ text, reasoning, signed, calls }: ProbeOutcome): Message[] {
    const made = calls.slice(0, mostCalls).map(withObject);
    return [
      {
        role: 'assistant',
        model: this.options.model,
        content: text,
        ...(reasoning && { reasoning }),
        ...(signed.length > 0 && { signedReasoning: signed }),
        ...(made.length > 0 && { toolCalls: made }),
      },
      ...made.map(({ id }, at): Message => ({ role: 'tool', toolCallId: id, content: `${41 + at}` })),
      ...(made.length > 0 ? [] : readyProbe.messages),
    ];
  }

  private facts(): ModelFacts {
    const { calls, picture } = this.outcomes;
    const { model } = this.options;
    const { refusedParameters = [], effortWithTools, ...facts } = this.learnt.facts(model);
    const refused = new Set([
      ...(this.context.profiles?.facts(model).refusedParameters ?? []),
      ...refusedParameters,
    ]);
    const refusal = this.answers.get('responses')?.failure;
    const lacks = this.needsResponses && refusal && (lacksResponses(refusal) || isRefusal(refusal));
    return {
      ...facts,
      ...(refusedParameters.length > 0 && { refusedParameters: [...refused] }),
      ...(this.protocol && { protocol: this.protocol }),
      // A temporary failure would otherwise be stored for good.
      ...(effortWithTools !== undefined && (effortWithTools || lacks) && { effortWithTools }),
      ...(lacks && { lacksResponses: true as const }),
      ...(calls && calls.calls.length > 0 && { toolCalling: true }),
      ...(calls?.failure && refusesTools(calls.failure) && { toolCalling: false }),
      ...(picture?.isAnswered && isSeen(picture) && { vision: true }),
      ...(picture?.failure?.code === 'images' && { vision: false }),
    };
  }

  private skipReason(): string {
    if (this.options.signal.aborted) return l10n.t('Not checked: the check was stopped.');
    if (this.endedBy) return l10n.t('Not checked: the check ended early.');
    return l10n.t('Not checked within the limits of this check.');
  }
}

const mostCalls = 4;

/** Arguments in a history must be objects. */
function withObject(call: ToolCall): ToolCall {
  return asObject(parseJson(call.arguments)) ? call : { ...call, arguments: '{}' };
}

function isReferral(outcome: ProbeOutcome | undefined): boolean {
  return outcome?.failure !== undefined && needsResponses(outcome.failure);
}
