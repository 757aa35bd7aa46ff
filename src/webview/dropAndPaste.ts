import { largestPictureBytes } from '../shared/attachments.ts';
import type { Panel } from './panel.ts';

/** Files and places that the user drops or pastes, as commands to the host. */

/** What the editor's own lists give when they are dragged; the second is everybody's. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Whether what is dragged over the page is something to attach; a piece of text goes into the box as ever. */
export function canBeAttached(data: DataTransfer | null): boolean {
  return data?.types.some((type) => type === 'Files' || uriTypes.includes(type.toLowerCase())) ?? false;
}

/** Attaches what was dropped. Nothing is left out silently: what has no place is told by its name. */
export function attachDropped(data: DataTransfer, post: Panel['post']): void {
  const listed = uriTypes.map((type) => data.getData(type)).find((text) => text.trim() !== '');
  if (listed !== undefined) {
    const uris = listed.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
    post({ type: 'attachUris', uris, unplaced: [] });
    return;
  }
  attachFiles([...data.files], post);
}

/** Pictures as they are; other files came without the path by which they could be judged. */
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
      // Without data it is told as an image that is not there any more.
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '');
    });
    reader.readAsDataURL(file);
  });
}
