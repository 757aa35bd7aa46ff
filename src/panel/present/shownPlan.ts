import { inline } from '../../base/text/oneLine.ts';
import type { ChatChange, ChatController } from '../../chat/chatController.ts';
import { checklistLine, shownChecklist } from '../../chat/conversation/checklist.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import type { Plan } from '../../shared/tools.ts';

export class ShownPlan {
  private shown: string | undefined;

  constructor(
    private readonly chat: ChatController,
    private readonly post: PostToPage,
  ) {}

  /** A fresh page may still show another conversation's checklist. */
  begin(): void {
    this.shown = undefined;
    this.show();
  }

  onChange({ type }: ChatChange): void {
    if (shownAfter.has(type)) this.show();
  }

  private show(): void {
    const plan = this.plan();
    const text = JSON.stringify(plan) ?? '';
    if (text === this.shown) return;
    this.shown = text;
    this.post({ type: 'planChanged', ...(plan && { plan }) });
  }

  private plan(): Plan | undefined {
    const steps = shownChecklist(this.chat.shown.conversation.all)?.map(({ step, state }) => ({
      ...{ step: inline(step), state },
    }));
    return (
      steps && { line: checklistLine(steps), steps: steps.map(({ step, state }) => ({ text: step, state })) }
    );
  }
}

const shownAfter = new Set<ChatChange['type']>([
  'toolFinished',
  'userMessageAdded',
  'itemsRemoved',
  'versionStarted',
  'branchDeleted',
  'versionChosen',
  'checkpointRestored',
]);
