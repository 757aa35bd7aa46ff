import type { ReadonlySignal } from '@preact/signals';
import { lazyComponent, type LazyComponent } from './controls/lazyComponent.tsx';
import type { MarkdownProps } from './markdown/markdown.tsx';

export const AnnotationNote = lazyComponent(() => import('./apps/appAnswer.tsx'), 'AnnotationNote');
export const AnswerPictures = lazyComponent(
  () => import('./transcript/answerPictures.tsx'),
  'AnswerPictures',
);
export const AppIcon = lazyComponent(() => import('./transcript/thumbnail.tsx'), 'AppIcon');
export const Arguments = lazyComponent(() => import('./approvals/arguments.tsx'), 'Arguments');
export const AwaitedInput = lazyComponent(() => import('./apps/appAnswer.tsx'), 'AwaitedInput');
export const BranchBar = lazyComponent(() => import('./composer/composerNotice.tsx'), 'BranchBar');
export const CommandView = lazyComponent(() => import('./tools/commandView.tsx'), 'CommandView');
export const ComposerNotice = lazyComponent(() => import('./composer/composerNotice.tsx'), 'ComposerNotice');
export const ContextChips = lazyComponent(() => import('./composer/contextChips.tsx'), 'ContextChips');
export const ContextMeter = lazyComponent(() => import('./picker/contextMeter.tsx'), 'ContextMeter');
export const EditsEntry = lazyComponent(() => import('./approvals/editsEntry.tsx'), 'EditsEntry');
export const FailureView = lazyComponent(() => import('./controls/failure.tsx'), 'FailureView');
export const FindBar = lazyComponent(() => import('./find/findBar.tsx'), 'FindBar');
export const Handoffs = lazyComponent(() => import('./transcript/nextSteps.tsx'), 'Handoffs');
export const MessageEditor = lazyComponent(() => import('./transcript/messageEditor.tsx'), 'MessageEditor');
export const OutputFiles = lazyComponent(() => import('./apps/appAnswer.tsx'), 'OutputFiles');
export const PanelNoticeList = lazyComponent(() => import('./controls/panelNotices.tsx'), 'PanelNoticeList');
export const PlanView = lazyComponent(() => import('./composer/planView.tsx'), 'PlanView');
export const Questions = lazyComponent(() => import('./apps/appAnswer.tsx'), 'Questions');
export const QueuedMessages = lazyComponent(() => import('./composer/queuedMessages.tsx'), 'QueuedMessages');
export const Ratings = lazyComponent(() => import('./apps/appAnswer.tsx'), 'Ratings');
export const RunGroup = lazyComponent(() => import('./apps/runGroup.tsx'), 'RunGroup');
export const SearchEntryView = lazyComponent(() => import('./transcript/searchEntry.tsx'), 'SearchEntryView');
export const Sources = lazyComponent(() => import('./transcript/sources.tsx'), 'Sources');
export const StarterButtons = lazyComponent(
  () => import('./transcript/starterButtons.tsx'),
  'StarterButtons',
);
export const StartPlanButton = lazyComponent(() => import('./transcript/nextSteps.tsx'), 'StartPlanButton');
export const ToolQuestion = lazyComponent(() => import('./approvals/toolQuestion.tsx'), 'ToolQuestion');
export const UsageView = lazyComponent(() => import('./transcript/usageView.tsx'), 'UsageView');
export const UserActions = lazyComponent(() => import('./transcript/userActions.tsx'), 'UserActions');
export const Versions = lazyComponent(() => import('./transcript/versions.tsx'), 'Versions');

export const Markdown: LazyComponent<MarkdownProps> = lazyComponent(
  () => import('./markdown/markdown.tsx'),
  'Markdown',
  PlainText,
);

function PlainText({ text }: { text: ReadonlySignal<string> }) {
  return (
    <div class="markdown" dir="auto">
      <div class="plain">{text}</div>
    </div>
  );
}
