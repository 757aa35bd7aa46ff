import type { SignedReasoning, ToolCall } from '../../relay/messages.ts';
import type { Recall } from './editorMessages.ts';

const mostRemembered = 200;

/**
 * What models thought before their calls. Some vendors want it back with the results, and the editor does not keep it.
 * By model and call, as several requests go on at once.
 */
export class RecentCalls {
  private readonly thoughts = new Map<string, ReturnType<Recall>>();

  remember(
    model: string,
    calls: readonly ToolCall[],
    thought: { reasoning: string; signedReasoning: readonly SignedReasoning[] },
  ): void {
    const [first] = calls;
    const { reasoning, signedReasoning } = thought;
    if (!first || (!reasoning && signedReasoning.length === 0)) return;
    this.thoughts.set(keyOf(model, first), {
      ...(reasoning && { reasoning }),
      ...(signedReasoning.length > 0 && { signedReasoning }),
    });
    const [oldest] = this.thoughts.keys();
    if (this.thoughts.size > mostRemembered && oldest !== undefined) this.thoughts.delete(oldest);
  }

  recallFor(model: string): Recall {
    return (call) => this.thoughts.get(keyOf(model, call)) ?? {};
  }
}

/** Ids alone may be the same in each request. */
function keyOf(model: string, { id, name, arguments: args }: ToolCall): string {
  return JSON.stringify([model, id, name, args]);
}
