import { readFrame } from '../../../src/base/text/frame.ts';
import { lastUserText } from '../relay/chatRequest.ts';
import { type ScriptedModel, text } from '../script/script.ts';

export function inlineEditing(model: ScriptedModel): ScriptedModel {
  return {
    ...model,
    async *answer(request, context) {
      const asked = askedEdit(lastUserText(request));
      if (asked) yield text(`${asked.fence}\n${edited(asked)}\n${asked.fence}`);
      else yield* model.answer(request, context);
    },
  };
}

interface AskedEdit {
  part: string;
  instruction: string;
  fence: string;
}

/** The client's request: the framed part and its surroundings, the instruction, the form of the answer. */
function askedEdit(message: string): AskedEdit | undefined {
  const [rules, fence] =
    /\n\n\[Answer with the new text of the part between (`{3,}) and [^\n]*\]$/.exec(message) ?? [];
  if (rules === undefined || fence === undefined) return undefined;
  let at = 0;
  let part: string | undefined;
  for (let frame; (frame = readFrame(message, at));) {
    if (frame.kind === 'part') part = frame.body;
    at = frame.end + '\n\n'.length;
  }
  return part === undefined ? undefined : { part, fence, instruction: message.slice(at, -rules.length) };
}

/** The scripted edits: "replace A with B", "delete it", and capitals for anything else. */
function edited({ part, instruction }: AskedEdit): string {
  const [, from, to = ''] = /^replace (\S+) with (\S+)$/i.exec(instruction) ?? [];
  if (from !== undefined) return part.replaceAll(from, to);
  return /^delete it$/i.test(instruction) ? '' : part.toUpperCase();
}
