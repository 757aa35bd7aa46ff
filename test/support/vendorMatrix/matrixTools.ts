import { Deferred } from '../../../src/base/async/promises.ts';
import type { ToolBox } from '../../../src/chat/calls/toolBox.ts';
import type { ToolOutcome } from '../../../src/chat/store/events.ts';

type Outcome = Omit<ToolOutcome, 'durationMs'>;

/** Reading a path returns a text about it; another extension's tool is offered unchanged. */
export class MatrixTools {
  /** Set while a read waits; the read begins when `begun` settles and ends when `released` does. */
  private hold: { begun: Deferred; released: Deferred } | undefined;

  /** Holds the next read of a path that contains "hold". */
  holdNext() {
    this.hold = { begun: new Deferred(), released: new Deferred() };
    return this.hold;
  }

  readonly box: ToolBox = {
    definitions: () => [
      {
        ...{ name: 'read_file', description: 'Reads a file.' },
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      {
        ...{ name: 'foreign_tool', description: `Belongs to another extension. ${'Long. '.repeat(200)}` },
        parameters: {
          ...{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
          properties: { size: { type: 'integer', exclusiveMinimum: 0 }, kind: { const: 'a' } },
          additionalProperties: false,
        },
      },
    ],
    prepare: (call) => {
      const { name, input } = call;
      if (name !== 'read_file') return { call, problem: `There is no tool ${name}.` };
      const path = JSON.stringify(input);
      return {
        call,
        isRead: !path.includes('hold'),
        run: async (signal, onState) => {
          void onState('running');
          if (path.includes('hold')) await this.wait(signal);
          return outcomeOf(path);
        },
      };
    },
  };

  private async wait(signal: AbortSignal): Promise<void> {
    const { hold } = this;
    this.hold = undefined;
    if (!hold) return;
    hold.begun.resolve();
    const aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Stopped.')), { once: true });
    });
    await Promise.race([hold.released.promise, aborted]);
  }
}

function outcomeOf(path: string): Outcome {
  if (path.includes('missing')) return { state: 'failed', content: 'There is no such file.' };
  if (path.includes('denied')) return { state: 'denied', content: 'The user denied this call.' };
  return { state: 'done', content: path.includes('empty') ? '' : `# Contents of ${path}\nOne line.` };
}
