import * as z from 'zod/mini';
import { createProposal } from './editProposal.ts';
import { applyReplacements } from './replacements.ts';
import { defineEditTool, type Tool } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';

/** `edit_file`: exact replacements in an existing file, all or none. */
export function editFileTool(needs: ToolDependencies): Tool {
  return defineEditTool({
    name: 'edit_file',
    description:
      'Changes an existing file by replacing exact pieces of its text. Read the file first. Each oldText must occur ' +
      'exactly once, white space included and without line numbers; give enough lines around the change to make it ' +
      'unique, or set all to replace every occurrence. Replacements are made in order, each on the result of the one ' +
      'before; if one does not fit, nothing is changed. The user may be asked to agree.',
    input: z.object({
      path: z.string().check(z.describe('Path of the file, relative to the workspace folder.')),
      replacements: z
        .array(
          z.object({
            oldText: z.string().check(z.describe('The text to replace, exactly as it is in the file.')),
            newText: z.string().check(z.describe('What to put in its place; empty to delete it.')),
            all: z.optional(
              z
                .boolean()
                .check(z.describe('Replace every occurrence instead of exactly one. Default: false.')),
            ),
          }),
        )
        .check(z.minLength(1), z.describe('The replacements, in order.')),
    }),
    async propose({ path, replacements }) {
      const file = granted(await needs.policy.check(path, 'edit'));
      const before = await needs.texts.readWhole(file);
      const outcome = applyReplacements(before, replacements);
      if ('problem' in outcome)
        throw new ToolFailure(`${file.shown} was not changed, and nothing was written. ${outcome.problem}`);
      if (outcome.text === before) {
        throw new ToolFailure(`${file.shown} already reads like that: the replacements change nothing.`);
      }
      return createProposal(needs, file, before, outcome.text);
    },
  });
}
