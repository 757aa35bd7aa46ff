import type { SwitchboardError } from '../../base/errors/errors.ts';
import type { Parameters, ParameterName } from '../parameters.ts';

export type RefusedParameter = ParameterName | `${ParameterName}=${string}`;

const parameterNames = ['temperature', 'maxTokens', 'reasoningEffort'] as const;

const isUnsupported =
  /unsupported|not (?:be )?(?:supported|permitted|allowed|available)|does(?: not|n't) support|deprecated|unrecogni[sz]ed|unknown (?:parameter|field|name)|unexpected|extra inputs|only the default/i;
/** The vendor names the supported values, or requires reasoning. */
const tellsOthers =
  /supported (?:values|levels)|must be one of|expected one of|input should be|valid values|\bdisabled\b/i;

/** Undefined for a value out of range, which the user has to correct. `fields`: see `WireProtocol.fields`. */
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

export function withoutRefused<R extends Parameters>(request: R, refused: readonly string[]): R {
  const left = { ...request };
  for (const name of parameterNames) {
    if (refused.includes(name) || refused.includes(`${name}=${request[name]}`)) delete left[name];
  }
  return left;
}
