import { PlainText } from './markdown/plainText.tsx';
import { part, type Part } from './part.tsx';
import type { MarkdownProps } from './markdown/markdown.tsx';

/** What most conversations do without: loaded with the first of it. */
export const QueuedMessages = part(async () => (await import('./queuedMessages.tsx')).QueuedMessages);
export const BranchBar = part(async () => (await import('./branchBar.tsx')).BranchBar);
export const Told = part(async () => (await import('./told.tsx')).Told);
export const ContextMeter = part(async () => (await import('./contextMeter.tsx')).ContextMeter);
export const FindBar = part(async () => (await import('./findBar.tsx')).FindBar);
export const UsageView = part(async () => (await import('./usageView.tsx')).UsageView);
export const PlanView = part(async () => (await import('./planView.tsx')).PlanView);
export const PlanStart = part(async () => (await import('./planStart.tsx')).PlanStart);
export const UserActions = part(async () => (await import('./userActions.tsx')).UserActions);
export const Versions = part(async () => (await import('./versions.tsx')).Versions);
export const FailureView = part(async () => (await import('./failure.tsx')).FailureView);
export const SearchEntryView = part(async () => (await import('./searchEntry.tsx')).SearchEntryView);
export const Sources = part(async () => (await import('./sources.tsx')).Sources);
export const NoticeList = part(async () => (await import('./noticeList.tsx')).NoticeList);
export const ComposerNotice = part(async () => (await import('./composerNotice.tsx')).ComposerNotice);

/** Most of the page's script, and nothing of its first sight. */
export const Markdown: Part<MarkdownProps> = part(
  async () => (await import('./markdown/markdown.tsx')).Markdown,
  PlainText,
);
