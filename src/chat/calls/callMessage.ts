import { asObject, type JsonObject } from '../../base/json.ts';
import { inline } from '../../base/text/oneLine.ts';
import { foreignPhrase, ownToolPhrase, type LookKind, type ShownArguments } from '../../tools/toolPhrases.ts';
import type { ToolOutcome, ToolState } from '../store/events.ts';
import type { Call } from './call.ts';

type Named = Pick<Call, 'name' | 'title'>;

export function callMessage(
  call: Named & { input: JsonObject },
  state?: ToolState,
  outcome?: ToolOutcome,
): string {
  const phrase = phraseOf(call);
  const target = targetOf(call);
  switch (outcome?.state ?? state) {
    case 'running':
      return phrase.running(target);
    case 'done':
      return phrase.done(target, {
        ...outcome,
        count: outcome?.count ?? outcome?.findings?.sources.length,
        ...outcome?.changed,
      });
    case 'failed':
      return phrase.failed(target);
    default:
      return phrase.plan(target);
  }
}

export function targetOf(call: Named & { input: JsonObject }): string {
  return phraseOf(call).target(shownArguments(call.input));
}

export function lookKindOf(call: Named): LookKind | undefined {
  return phraseOf(call).look;
}

/** Third-party tools have a title. Unknown names without one were invented by the model. */
function phraseOf({ name, title }: Named) {
  const own = title === undefined ? ownToolPhrase(name) : undefined;
  return own ?? foreignPhrase(inline(title ?? name));
}

function shownArguments(input: JsonObject): ShownArguments {
  return {
    text(name) {
      const value = input[name];
      return typeof value === 'string' && value.trim() !== '' ? inline(value) : undefined;
    },
    texts(name, field) {
      const list = input[name];
      return (Array.isArray(list) ? list : []).flatMap((entry) => {
        const value = asObject(entry)?.[field];
        return typeof value === 'string' && value.trim() !== '' ? [inline(value)] : [];
      });
    },
    rows(name) {
      const list = input[name];
      return (Array.isArray(list) ? list : []).map((entry) =>
        Object.fromEntries(
          Object.entries(asObject(entry) ?? {}).flatMap(([field, value]) =>
            typeof value === 'string' ? [[field, inline(value)]] : [],
          ),
        ),
      );
    },
    number(name) {
      const value = input[name];
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
    },
  };
}

export function isCommand({ name, title }: Named): boolean {
  return name === 'run_command' && title === undefined;
}

export function readsInput(call: Named & { input: JsonObject }): boolean {
  return isCommand(call) && call.input['input'] === true;
}
