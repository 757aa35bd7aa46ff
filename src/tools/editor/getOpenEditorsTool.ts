import * as z from 'zod/mini';
import { frame } from '../../base/text/frame.ts';
import { defineTool, type Tool, type ToolLocation } from '../tool.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { truncateText } from '../files/truncate.ts';
import { WithheldCount, ShownPlaces } from '../files/withheldCount.ts';

export function getOpenEditorsTool({ workspace, policy }: ToolDependencies): Tool {
  return defineTool({
    name: 'get_open_editors',
    description:
      'Lists the open editors, which one is active, the cursor and the selected text. Use it when the user speaks of ' +
      '"this file" or "this code".',
    input: z.object({}),
    risk: 'read',
    async run() {
      const withheld = new WithheldCount();
      const places = new ShownPlaces(policy.start(), withheld);
      const lines: string[] = [];
      const locations: ToolLocation[] = [];
      for (const editor of workspace.editors.open()) {
        const place = await places.of(editor.path);
        if (!place) continue;
        const { isActive, isVisible, hasUnsavedChanges, languageId, cursor, selection } = editor;
        const facts = [
          ...(isActive ? ['active'] : isVisible ? ['visible'] : []),
          ...(hasUnsavedChanges ? ['unsaved changes'] : []),
          ...(languageId ? [languageId] : []),
          ...(cursor ? [`cursor at line ${cursor.line}`] : []),
        ];
        lines.push(`${facts.join(', ') || 'open'}: ${place.shown}`);
        if (!selection) continue;
        const { start, end } = selection;
        lines.push(`selected, lines ${start.line} to ${end.line}:`);
        const body = truncateText(
          selection.redacted,
          `Read the rest with read_file from line ${start.line} on.`,
        );
        lines.push(frame({ kind: 'selection', facts: {}, body }));
        locations.push({ path: place.shown, line: start.line, endLine: end.line });
      }
      if (lines.length === 0) lines.push('No file of the workspace is open.');
      const content = [...lines, ...withheld.note('open files')].join('\n');
      return { content, isError: false, locations, withheld: withheld.list() };
    },
  });
}
