import { usePanel } from './panel.ts';
import { NoticeList } from './parts.ts';

/** What the editor would say in a notification, which would lie over the message box. */
export function PanelNotices() {
  const { state } = usePanel();
  const notices = state.notices.value;
  // Always there, so that what comes into it is read out.
  return (
    <div class="panel-notices" aria-live="polite">
      {notices.length > 0 && <NoticeList notices={notices} />}
    </div>
  );
}
