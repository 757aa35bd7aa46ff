import type { ToolBox } from './toolBox.ts';

/** The same tools; the result of the next call also tells what has ended in the background since. */
export function withReports(box: ToolBox, takeReports: () => readonly string[]): ToolBox {
  return {
    definitions: () => box.definitions(),
    prepare(call) {
      const ready = box.prepare(call);
      if ('problem' in ready) return ready;
      return {
        ...ready,
        run: async (...args) => {
          const outcome = await ready.run(...args);
          const reports = takeReports();
          if (reports.length === 0) return outcome;
          return { ...outcome, content: [outcome.content, ...reports.map((each) => `[${each}]`)].join('\n') };
        },
      };
    },
  };
}
