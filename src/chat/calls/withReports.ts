import type { Conversation } from '../conversation/conversation.ts';
import type { ToolBox } from './toolBox.ts';

export function withReports(box: ToolBox, conversation: Conversation): ToolBox {
  /** Reported but not recorded yet: reads run in parallel. */
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
