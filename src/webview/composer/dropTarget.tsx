import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { type Panel, usePanel } from '../state/panel.ts';
import { largestPictureBytes } from '../../shared/attachments.ts';

/** Accepts drops anywhere. Drags from the editor only reach a page while Shift is held, as the Attach button says. */
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
      // Moving between elements isn't leaving.
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

const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

function canBeAttached(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'Files' || uriTypes.includes(type.toLowerCase())) ?? false;
}

/** Attaches dropped files and URIs. Files without a location are reported by name. */
function attachDropped(data: DataTransfer, post: Panel['post']): void {
  const listed = uriTypes.map((type) => data.getData(type)).find((text) => text.trim() !== '');
  if (listed !== undefined) {
    const uris = listed.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
    post({ type: 'attachUris', uris, unplaced: [] });
    return;
  }
  attachFiles([...data.files], post);
}

/** Attaches images; other files come without the path that the file policy needs. */
export function attachFiles(files: readonly File[], post: Panel['post']): void {
  const unplaced = files.filter(({ type }) => !type.startsWith('image/')).map(({ name }) => name);
  if (unplaced.length > 0) post({ type: 'attachUris', uris: [], unplaced });
  for (const file of files) if (file.type.startsWith('image/')) void attachPicture(file, post);
}

async function attachPicture(file: File, post: Panel['post']): Promise<void> {
  const { name, type: mimeType, size: bytes } = file;
  const base64 = bytes > largestPictureBytes ? '' : await toBase64(file);
  post({ type: 'attachImage', name, mimeType, bytes, base64 });
}

function toBase64(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('loadend', () => {
      // Without data the host reports an image that is gone.
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '');
    });
    reader.readAsDataURL(file);
  });
}
