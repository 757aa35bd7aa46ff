import * as z from 'zod/mini';
import { createProposal, type EditedFile } from './editProposal.ts';
import { applyReplacements, mostReplacements, type Replacement } from './replacements.ts';
import { defineEditTool, type Tool, type ToolContext } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { createGiveWay } from '../../base/async/promises.ts';

export function editFileTool(dependencies: ToolDependencies): Tool {
  return defineEditTool({
    name: 'edit_file',
    description:
      'Replaces exact pieces of text in files. Read a file first. Each oldText must occur exactly once, without line ' +
      'numbers: give enough lines around the change, or set all. Replacements are made in order; if one does not fit, ' +
      'nothing is written. One call can change several files.',
    input: z.object({
      path: z.string().check(z.describe('Relative to the workspace folder.')),
      replacements: z
        .array(
          z.object({
            path: z.optional(z.string().check(z.describe('Of another file than path.'))),
            oldText: z.string(),
            newText: z.string(),
            all: z.optional(z.boolean()),
          }),
        )
        .check(z.minLength(1), z.describe('In order.')),
    }),
    async propose({ path, replacements }, context) {
      if (replacements.length > mostReplacements) {
        throw new ToolFailure(
          `There are ${replacements.length} replacements, and one call makes at most ${mostReplacements}. Nothing was written. ` +
            'Make them in several calls, set all where a text is replaced everywhere, or replace larger pieces.',
        );
      }
      const changes: EditedFile[] = [];
      for (const [index, name] of [...new Set(replacements.map((each) => each.path ?? path))].entries()) {
        const own = replacements.filter((each) => (each.path ?? path) === name);
        const change = await edited(dependencies, name, own, context);
        const twice = changes.find(({ file }) => file.realPath === change.file.realPath);
        if (twice)
          throw new ToolFailure(`${name} is ${twice.file.shown}: name it one way. Nothing was written.`);
        changes[index] = change;
      }
      return createProposal(dependencies, changes, context);
    },
  });
}

async function edited(
  { policy, texts }: ToolDependencies,
  path: string,
  replacements: readonly Replacement[],
  { signal, failedEdits = new Map<string, number>() }: ToolContext,
): Promise<EditedFile> {
  const file = granted(await policy.check(path, 'edit'));
  const before = await texts.readWhole(file);
  const outcome = await applyReplacements(before, replacements, createGiveWay(signal));
  if ('text' in outcome && outcome.text !== before) {
    failedEdits.delete(file.realPath);
    return { file, before, after: outcome.text };
  }
  if ('text' in outcome) {
    throw new ToolFailure(
      `${file.shown} already reads like that: the replacements change nothing. Nothing was written.`,
    );
  }
  const times = (failedEdits.get(file.realPath) ?? 0) + 1;
  failedEdits.set(file.realPath, times);
  const again =
    times > 1
      ? `\nThis is edit ${times} of it that does not fit: read ${file.shown} again before the next.`
      : '';
  throw new ToolFailure(`${file.shown} was not changed, and nothing was written. ${outcome.problem}${again}`);
}
