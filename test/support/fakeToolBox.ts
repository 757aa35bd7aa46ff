import type { ToolBox } from '../../src/chat/calls/toolBox.ts';
import type { ToolOutcome, ToolState } from '../../src/chat/store/events.ts';
import type { EditJournal } from '../../src/tools/edits/editJournal.ts';
import { MemoryJournal } from './memorySnapshots.ts';

export interface FakeTool {
  isRead?: boolean;
  instructions?: ToolOutcome['instructions'];
  run(
    input: unknown,
    signal: AbortSignal,
    onState: (state: ToolState) => Promise<void>,
    journal: EditJournal,
  ): Promise<string> | string;
}

/** Tools as functions from input to text; a throw is a failure. */
export function fakeToolBox(
  tools: Record<string, FakeTool> = {},
  journal: EditJournal = new MemoryJournal(),
): ToolBox {
  return {
    definitions: () =>
      Object.keys(tools).map((name) => ({
        name,
        description: name,
        parameters: { type: 'object', properties: {} },
      })),
    prepare(call) {
      const { name, input } = call;
      const tool = tools[name];
      if (!tool) return { call, problem: `There is no tool ${name}.` };
      return {
        call,
        isRead: tool.isRead ?? true,
        async run(signal, onState): Promise<Omit<ToolOutcome, 'durationMs'>> {
          await onState('running');
          const content = await tool.run(input, signal, onState, journal);
          return { state: 'done', content, ...(tool.instructions && { instructions: tool.instructions }) };
        },
      };
    },
  };
}
