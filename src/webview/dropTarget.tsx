import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { attachDropped, canBeAttached } from './dropAndPaste.ts';
import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';

/**
 * Anything can be dropped anywhere on the panel. The editor only lets a drag of its own reach a page while Shift is
 * held, which the Attach button says; files from elsewhere come as they are.
 */
export function DropTarget() {
  const { post } = usePanel();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!canBeAttached(event.dataTransfer)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // From one element to the next is not away.
      if (!event.relatedTarget) setOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || !canBeAttached(event.dataTransfer)) return;
      event.preventDefault();
      attachDropped(event.dataTransfer, post);
    };
    document.addEventListener('dragenter', onDragOver);
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('dragleave', onDragLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragenter', onDragOver);
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('dragleave', onDragLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [post]);
  if (!isOver) return null;
  return (
    <div class="drop-hint" aria-hidden="true">
      <Icon name="attach" />
      {l10n.t('Drop to attach')}
    </div>
  );
}
