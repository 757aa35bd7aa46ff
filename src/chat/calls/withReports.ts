import type { Conversation } from '../conversation.ts';
import type { ToolBox } from './toolBox.ts';

/** The same tools; the result of the next call also tells what has ended in the background since. */
export function withReports(box: ToolBox, conversation: Conversation): ToolBox {
  /** Of results that are not recorded yet: reads run side by side. */
  const told = new Set<string>();
  return {
    ...box,
    prepare(call) {
      const ready = box.prepare(call);
      if ('problem' in ready) return ready;
      return {
        ...ready,
        run: async (...args) => {
          const outcome = await ready.run(...args);
          const reports = [...conversation.reports].filter(([id]) => !told.has(id));
          if (reports.length === 0) return outcome;
          for (const [id] of reports) told.add(id);
          return {
            ...outcome,
            content: [outcome.content, ...reports.map(([, report]) => `[${report}]`)].join('\n'),
            reported: reports.map(([id]) => id),
          };
        },
      };
    },
  };
}
