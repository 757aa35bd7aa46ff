import type { SignedReasoning, ToolCall } from '../../relay/messages.ts';
import type { Recall } from './editorMessages.ts';

const mostRemembered = 200;

/** Reasoning and extra call fields that vendors require back but the editor drops, by model and call. */
export class RecentCalls {
  private readonly parts = new Map<string, ReturnType<Recall>>();

  remember(
    model: string,
    calls: readonly ToolCall[],
    thought: { reasoning: string; signedReasoning: readonly SignedReasoning[] },
  ): void {
    for (const [index, call] of calls.entries()) {
      const { reasoning, signedReasoning } = index === 0 ? thought : { reasoning: '', signedReasoning: [] };
      const { extra } = call;
      if (!reasoning && signedReasoning.length === 0 && !extra) continue;
      this.parts.set(keyOf(model, call), {
        ...(reasoning && { reasoning }),
        ...(signedReasoning.length > 0 && { signedReasoning }),
        ...(extra && { extra }),
      });
      const [oldest] = this.parts.keys();
      if (this.parts.size > mostRemembered && oldest !== undefined) this.parts.delete(oldest);
    }
  }

  recallFor(model: string): Recall {
    return (call) => this.parts.get(keyOf(model, call)) ?? {};
  }
}

/** Ids may repeat in every request. */
function keyOf(model: string, { id, name, arguments: args }: ToolCall): string {
  return JSON.stringify([model, id, name, args]);
}
