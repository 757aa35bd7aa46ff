import * as l10n from '@vscode/l10n';
import { causeText, type SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber } from '../../base/text/format.ts';
import { formatMoney, formatTokens } from '../../base/text/formatUsage.ts';
import type { Cost, Protocol } from '../messages.ts';
import type { ModelFacts } from '../profile/modelFacts.ts';
import { costOf, type Price, sumCosts } from '../prices/price.ts';
import type { ProbeOutcome } from './askProbe.ts';
import { pictureColors } from './probeRequests.ts';

export type FindingName =
  | Protocol
  | 'streaming'
  | 'calls'
  | 'results'
  | 'images'
  | 'reasoning'
  | 'effort'
  | 'caching'
  | 'usage'
  | 'price'
  | 'name';

export interface CheckFinding {
  name: FindingName;
  verdict: 'ok' | 'warning' | 'no' | 'skipped';
  text: string;
  /** The server's or the system's message, without keys and addresses. */
  cause?: string;
}

export interface CheckOutcomes {
  model: string;
  answers: ReadonlyMap<Protocol, ProbeOutcome | undefined>;
  protocol?: Protocol;
  calls?: ProbeOutcome;
  /** The calls with their results; without calls, a second message after the same long prompt. */
  results?: ProbeOutcome;
  picture?: ProbeOutcome;
  effort?: ProbeOutcome;
  facts: ModelFacts;
  price?: Price | undefined;
  isLong: boolean;
  skipReason: string;
  clean(words: string): string;
}

type Judged = Omit<CheckFinding, 'name'>;

export function findingsOf(outcomes: CheckOutcomes): CheckFinding[] {
  const { answers, clean } = outcomes;
  const protocols = [...answers].map(([name, outcome]): CheckFinding => ({
    name,
    ...(outcome ? answered(outcome, clean) : skipped(outcomes)),
  }));
  const judges: Record<Exclude<FindingName, Protocol>, (outcomes: CheckOutcomes) => Judged> = {
    streaming,
    calls,
    results,
    images,
    reasoning,
    effort,
    caching,
    usage,
    price,
    name: modelName,
  };
  if (answeredOf(outcomes).length === 0) return protocols;
  return [
    ...protocols,
    ...Object.entries(judges).map(([each, judge]): CheckFinding => ({
      name: each as FindingName,
      ...judge(outcomes),
    })),
  ];
}

export function costsOf({ price: listed, ...outcomes }: CheckOutcomes): Cost[] {
  return sumCosts(
    answeredOf(outcomes).flatMap(({ usage: counted }) => {
      const charged = chargeOf(counted?.cost);
      return charged ?? (counted && listed && costOf(counted, listed)) ?? [];
    }),
  );
}

function answered(outcome: ProbeOutcome, clean: CheckOutcomes['clean']): Judged {
  return outcome.isAnswered ? ok(l10n.t('Answered.')) : failed(outcome, clean);
}

const refusals = new Set<SwitchboardError['code']>([
  ...(['request', 'images', 'model', 'wrong-address', 'content-filter'] as const),
]);

export function isRefusal({ code }: SwitchboardError): boolean {
  return refusals.has(code);
}

function failed({ failure }: ProbeOutcome, clean: CheckOutcomes['clean']): Judged {
  if (!failure) return no(l10n.t('Refused.'));
  const { status, requestId } = failure;
  const details = [
    ...(status === undefined ? [] : [l10n.t('status {0}', status)]),
    ...(requestId === undefined ? [] : [l10n.t('request {0}', requestId)]),
  ].join(', ');
  const cause = clean([causeText(failure), details && `(${details})`].filter(Boolean).join(' '));
  const text = isRefusal(failure) ? l10n.t('Refused.') : clean(failure.message);
  return { ...(isRefusal(failure) ? no(text) : warning(text)), ...(cause && { cause }) };
}

function streaming(outcomes: CheckOutcomes): Judged {
  const replies = inUse(outcomes).flatMap(({ reply }) => reply ?? []);
  if (outcomes.facts.stream === false) return no(l10n.t('Refused. Answers arrive all at once.'));
  const streamed = replies.filter(({ contentType }) => contentType === 'text/event-stream');
  if (streamed.length === 0) return no(l10n.t('Not supported. Answers arrive all at once.'));
  return streamed.some(({ reads }) => reads > 1)
    ? ok(l10n.t('Answers arrive in pieces.'))
    : warning(l10n.t('Answers are event streams but arrive all at once.'));
}

function calls({ calls: asked, facts, ...outcomes }: CheckOutcomes): Judged {
  if (!asked) return skipped(outcomes);
  if (!asked.isAnswered) return failed(asked, outcomes.clean);
  const [first, second] = asked.calls;
  if (!first) return asked.isCut ? cut() : warning(l10n.t('Tools are accepted, but no call was made.'));
  const found = second
    ? l10n.t('Several calls in one answer.')
    : l10n.t('One call per answer, although two were requested.');
  if (facts.effortWithTools === false) return warning(`${found} ${l10n.t('Only without reasoning.')}`);
  return second ? ok(found) : warning(found);
}

function results({ calls: asked, results: given, ...outcomes }: CheckOutcomes): Judged {
  if (asked && asked.calls.length === 0) return { verdict: 'skipped', text: l10n.t('No call was made.') };
  if (!given) return skipped(outcomes);
  if (!given.isAnswered) return failed(given, outcomes.clean);
  return ok(l10n.t('Calls with their results are accepted and answered.'));
}

function images({ picture, ...outcomes }: CheckOutcomes): Judged {
  if (!picture) return skipped(outcomes);
  if (!picture.isAnswered) return failed(picture, outcomes.clean);
  if (picture.isCut && !isSeen(picture)) return cut();
  return isSeen(picture)
    ? ok(l10n.t('Accepted, and its colors were recognized.'))
    : warning(l10n.t("Accepted, but its colors weren't recognized."));
}

export function isSeen({ text }: ProbeOutcome): boolean {
  return Object.values(pictureColors).every((color) => text.toLowerCase().includes(color));
}

function reasoning(outcomes: CheckOutcomes): Judged {
  const all = inUse(outcomes);
  if (all.some((each) => each.reasoning !== '' || each.signed.length > 0)) {
    return ok(l10n.t('Shown with the answer.'));
  }
  return all.some(({ usage: counted }) => (counted?.reasoningTokens ?? 0) > 0)
    ? ok(l10n.t('Counted in the usage, but not shown.'))
    : no(l10n.t('None was shown or counted.'));
}

function effort({ effort: asked, facts, ...outcomes }: CheckOutcomes): Judged {
  if (!asked) return skipped(outcomes);
  if (facts.effort === 'budget' && outcomes.protocol === 'messages') {
    return { verdict: 'skipped', text: l10n.t('Needs a token budget larger than this check allows.') };
  }
  if (asked.refused.length > 0) return no(l10n.t('Effort "low" is refused.'));
  return asked.isAnswered ? ok(l10n.t('Effort "low" is accepted.')) : failed(asked, outcomes.clean);
}

function caching({ calls: first, results: second, ...outcomes }: CheckOutcomes): Judged {
  if (first?.failure) return { verdict: 'skipped', text: l10n.t('Not checked: tools were refused.') };
  if (!first || !second?.isAnswered || !outcomes.isLong) return skipped(outcomes);
  const { promptTokens = 0, cachedTokens } = second.usage ?? {};
  if (cachedTokens === undefined) return warning(l10n.t("The usage doesn't report cached tokens."));
  if (cachedTokens === 0) {
    return warning(
      l10n.t('The same prompt was sent twice ({0}), but nothing was cached.', formatTokens(promptTokens)),
    );
  }
  const of = formatTokens(Math.max(promptTokens, cachedTokens));
  return ok(l10n.t('{0} of {1} in the second prompt came from the cache.', formatNumber(cachedTokens), of));
}

function usage(outcomes: CheckOutcomes): Judged {
  const all = inUse(outcomes);
  const counted = all.filter(({ usage: each }) => each?.promptTokens !== undefined);
  if (counted.length === all.length) return ok(l10n.t('Reported with every answer.'));
  return counted.length === 0 ? no(l10n.t('Not reported.')) : warning(l10n.t('Missing in some answers.'));
}

const tolerance = 0.02;

function price({ price: listed, ...outcomes }: CheckOutcomes): Judged {
  const all = answeredOf(outcomes);
  const both = all.flatMap(({ usage: counted }) => {
    const charged = chargeOf(counted?.cost);
    return charged ? [{ charged, expected: listed && counted && costOf(counted, listed) }] : [];
  });
  const [charged] = sumCosts(both.map((each) => each.charged));
  if (!charged) {
    const text = listed
      ? l10n.t("A price is listed; the relay doesn't report what it charges.")
      : l10n.t('The relay reports neither a price nor what it charges.');
    return { verdict: 'skipped', text };
  }
  const paid = formatMoney(charged.amount, charged.currency);
  const [expected] = sumCosts(both.flatMap((each) => each.expected ?? []));
  if (!expected || expected.currency !== charged.currency) {
    return { verdict: 'skipped', text: l10n.t('Charged {0}; no price is listed to compare.', paid) };
  }
  const due = formatMoney(expected.amount, expected.currency);
  if (charged.amount > expected.amount * (1 + tolerance)) {
    return warning(l10n.t('Charged {0}, which is more than the listed price of {1}.', paid, due));
  }
  return charged.amount < expected.amount * (1 - tolerance)
    ? ok(l10n.t('Charged {0}, which is less than the listed price of {1}.', paid, due))
    : ok(l10n.t('Charged {0}, as listed.', paid));
}

function modelName(outcomes: CheckOutcomes): Judged {
  const names = answeredOf(outcomes).flatMap(({ model }) => model?.trim() || []);
  if (names.length === 0) return { verdict: 'skipped', text: l10n.t('The answers name no model.') };
  const others = names.filter((each) => !isNameOf(each, outcomes.model));
  const shown = [...new Set(others)].slice(0, 3).map((each) => `"${outcomes.clean(each)}"`);
  return others.length === 0
    ? ok(l10n.t('The answers name the requested model.'))
    : warning(l10n.t('The answers name another model: {0}', shown.join(', ')));
}

function answeredOf({
  answers,
  calls: called,
  results: given,
  picture,
  effort: asked,
}: Pick<CheckOutcomes, 'answers' | 'calls' | 'results' | 'picture' | 'effort'>): ProbeOutcome[] {
  // One answer may serve for picture and effort.
  const all = new Set([...answers.values(), called, given, picture, asked]);
  return [...all].flatMap((each) => (each?.isAnswered ? each : []));
}

function inUse({ answers, protocol, ...outcomes }: CheckOutcomes): ProbeOutcome[] {
  const own = [...answers].filter(([each]) => each === protocol);
  return answeredOf({ ...outcomes, answers: new Map(own) });
}

function chargeOf(cost: Cost | undefined): Cost | undefined {
  return cost?.kind === 'charged' ? cost : undefined;
}

const ok = (text: string): Judged => ({ verdict: 'ok', text });
const warning = (text: string): Judged => ({ verdict: 'warning', text });
const no = (text: string): Judged => ({ verdict: 'no', text });

/** Reasoning may use up the limit. */
function cut(): Judged {
  const text = l10n.t('Accepted, but the answer was cut off by the token limit of this check.');
  return { verdict: 'skipped', text };
}

function skipped({ skipReason: text }: Pick<CheckOutcomes, 'skipReason'>): Judged {
  return { verdict: 'skipped', text };
}

/** @param isServed another protocol worked, so a server error may concern this protocol alone */
export function endsCheck({ code }: SwitchboardError, isServed: boolean): boolean {
  return ending.has(code) || (!isServed && endingOfServer.has(code));
}

const ending = new Set<SwitchboardError['code']>([
  ...(['budget', 'timeout-connect', 'tls', 'proxy', 'offline'] as const),
  ...(['settings', 'storage', 'internal', 'cancelled'] as const),
]);
const endingOfServer = new Set<SwitchboardError['code']>([
  ...(['key', 'vendor-key', 'balance', 'vendor-balance', 'not-permitted'] as const),
  ...(['network-not-allowed', 'rate-limit', 'timeout-first-token'] as const),
]);

/** Ignores a missing vendor prefix and an added version date. `gpt-4o-mini` is not `gpt-4o`. */
export function isNameOf(named: string, requested: string): boolean {
  return plainName(named) === plainName(requested);
}

/** A date or number, `-latest`, or a suffix after a colon (OpenRouter, Ollama). */
const version =
  /(?:[-@](?:\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|\d{3}|latest|v\d+(?:\.\d+)*)|:[\w.-]+)$/;

function plainName(id: string): string {
  let name = id.trim().toLowerCase().split('/').at(-1) ?? '';
  while (version.test(name)) name = name.replace(version, '');
  return name;
}
