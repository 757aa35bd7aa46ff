import type { SwitchboardError } from '../base/errors.ts';
import type { Parameters, ParameterName } from './parameters.ts';

/** A parameter that a model does not support, or one value of it: `temperature`, `reasoningEffort=xhigh`. */
export type RefusedParameter = ParameterName | `${ParameterName}=${string}`;

/** What each model of a relay was found not to support. */
export interface ParameterMemory {
  refused(modelId: string): readonly string[];
  refuse(modelId: string, refused: RefusedParameter): void;
}

const parameterNames = ['temperature', 'maxTokens', 'reasoningEffort'] as const;

/** The vendor accepts the parameter from no model of this kind, or only at its default. */
const isUnsupported =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|available)|does(?: not|n't) support|deprecated|unrecogni[sz]ed|unknown (?:parameter|field|name)|unexpected|extra inputs|only the default/i;
/** It accepts the parameter, and tells which values, or that it cannot be switched off. */
const tellsOthers =
  /supported (?:values|levels)|must be one of|expected one of|input should be|valid values|\bdisabled\b/i;

/**
 * What of a request its model refused, undefined if it is another matter: a value that is out of the range which the
 * parameter has is the user's to correct.
 * @param fields see `WireProtocol.fields`
 */
export function refusedParameter(
  failure: SwitchboardError,
  asked: Parameters,
  fields: Readonly<Record<ParameterName, string>>,
): RefusedParameter | undefined {
  if (failure.code !== 'request' || failure.status === undefined) return undefined;
  const { parameter = '', why = '', serverCode = '' } = failure;
  const name = parameterNames.find((each) => new RegExp(`\\b(?:${fields[each]})\\b`).test(parameter || why));
  if (!name || asked[name] === undefined) return undefined;
  if (name === 'reasoningEffort' && tellsOthers.test(why)) return `${name}=${asked[name]}`;
  return isUnsupported.test(`${serverCode.replaceAll('_', ' ')} ${why}`) ? name : undefined;
}

/** A request without what its model is known to refuse. */
export function withoutRefused<R extends Parameters>(request: R, refused: readonly string[]): R {
  const left = { ...request };
  for (const name of parameterNames) {
    if (refused.includes(name) || refused.includes(`${name}=${request[name]}`)) delete left[name];
  }
  return left;
}
