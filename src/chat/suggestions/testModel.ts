import * as l10n from '@vscode/l10n';
import { causeText, SwitchboardError } from '../../base/errors/errors.ts';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import type { AskSuggestion } from './askSuggestion.ts';

/** Only a model that reads the code after the caret can know the name that is missing here. */
const probe = {
  before: 'function areaOf(width, ',
  after: ') {\n  return width * breadth;\n}\n',
};
const missing = /^\s*breadth[^\S\n]*(?:[,:=)\n]|$)/;

export type ModelVerdict = { isFit: true; ms: number } | { isFit: false; reason: string };

/** Asks a model for one suggestion whose text is known. Rejects only when cancelled. */
export async function testSuggestions(
  ask: AskSuggestion,
  model: string,
  signal: AbortSignal,
): Promise<ModelVerdict> {
  const startedAt = performance.now();
  try {
    const { text } = await ask(probe, signal, false);
    const ms = performance.now() - startedAt;
    return missing.test(text) ? { isFit: true, ms } : { isFit: false, reason: unfit(model, text) };
  } catch (error) {
    signal.throwIfAborted();
    return { isFit: false, reason: refusal(model, toSwitchboardError(error)) };
  }
}

function unfit(model: string, text: string): string {
  return text.trim() === ''
    ? l10n.t('{0} returned no text for the test. Choose a model for code completion.', model)
    : l10n.t(
        "{0} can't fill in code: its answer to the test doesn't fit between the code before and after the cursor. Choose a model for code completion.",
        model,
      );
}

function refusal(model: string, failure: SwitchboardError): string {
  const { code, parameter, why = '', response = '' } = failure;
  const said = `${why} ${response}`;
  if (/\bsuffix\b/i.test(`${parameter ?? ''} ${said}`) || /extra inputs are not permitted/i.test(said)) {
    return l10n.t(
      "{0} can't fill in code: its server doesn't accept the code after the cursor. Choose a model for code completion.",
      model,
    );
  }
  if (/\bchat model\b/i.test(said)) {
    return l10n.t('{0} is for chat only. Choose a model for code completion.', model);
  }
  if (code === 'wrong-address') {
    return l10n.t("The relay of {0} doesn't offer code completion. Choose a model of another relay.", model);
  }
  return [failure.message, causeText(failure)].filter(Boolean).join(' ');
}
