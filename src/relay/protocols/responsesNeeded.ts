import * as l10n from '@vscode/l10n';
import { rejudge, type SwitchboardError } from '../../base/errors/errors.ts';

// Recognizes refusals about a model's endpoint by their text: relays change a vendor's status, code and field.

/** OpenAI (GPT-5.4 with tools, models without chat), new-api's Codex channels, servers that call chat legacy. */
const names =
  /\b(?:use|only supported in) \/?v1\/responses\b|not a chat model and thus not supported in the \/?v1\/chat\/completions|\/v1\/chat\/completions endpoint not supported/i;

export function needsResponses({ status, why = '' }: SwitchboardError): boolean {
  return (status === 400 || status === 404 || status === 500) && names.test(why);
}

export function lacksResponses({ status, serverCode = '', why = '' }: SwitchboardError): boolean {
  // new-api, for channels without such an endpoint.
  if (status === 500) return serverCode === 'convert_request_failed' && /not implemented/i.test(why);
  if (status === 405 || status === 501 || /Invalid URL \(POST \S*\/responses\)/.test(why)) return true;
  // A 404 may also be about the model, or an input item.
  return (
    status === 404 && serverCode !== 'model_not_found' && !/\bmodel\b|\bitem\b|\bdeployment\b/i.test(why)
  );
}

export function explainNeed(
  failure: SwitchboardError,
  { model, isProtocolChosen }: { model: string; isProtocolChosen: boolean },
): SwitchboardError {
  if (!needsResponses(failure)) return failure;
  return isProtocolChosen
    ? rejudge(
        failure,
        'settings',
        l10n.t(
          '{0} needs the responses protocol. Set "switchboard.relay.protocol", or the model\'s own "protocol", to "auto" or "responses".',
          model,
        ),
      )
    : rejudge(
        failure,
        'model',
        l10n.t(
          "With tools, {0} needs the responses protocol (/v1/responses), which this relay doesn't offer for it. Choose another model.",
          model,
        ),
      );
}
