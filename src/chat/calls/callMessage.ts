import { asObject, type JsonObject } from '../../base/json.ts';
import { visibleText } from '../../base/visibleText.ts';
import { alignToCharacter } from '../../tools/truncate.ts';
import { foreignPhrase, ownToolPhrase, type LookKind, type ShownArguments } from '../../tools/toolPhrases.ts';
import type { ToolOutcome, ToolState } from '../events.ts';
import type { Call } from './call.ts';

type Named = Pick<Call, 'name' | 'title'>;

/** Of an argument within a sentence; the whole is in the arguments. */
const longestArgument = 120;

/** What a call is about to do, does, or did, in the user's language. Arguments that could not be read are none. */
export function callMessage(
  call: Named & { input: JsonObject },
  state?: ToolState,
  outcome?: ToolOutcome,
): string {
  const phrase = phraseOf(call);
  const target = phrase.target(shownArguments(call.input));
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

/** What kind of look at the workspace a call is; undefined if it does more than look. */
export function lookKindOf(call: Named): LookKind | undefined {
  return phraseOf(call).look;
}

/** Whether the user may have to type what a command asks for. */
export function readsInput({ name, title, input }: Named & { input: JsonObject }): boolean {
  return name === 'run_command' && title === undefined && input['input'] === true;
}

/** Tools of others have a title. A name without one that is not known was made up by the model. */
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

/** On one line, bounded, with nothing hidden in it. */
export function inline(text: string, longest = longestArgument): string {
  const line = visibleText(text.slice(0, longest * 2))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, alignToCharacter(line, longest))}…` : line;
}
