/** How a file of this name goes to the platform. */
export type UploadMethod =
  | { how: 'file'; isText: boolean }
  /** By its text, if it has one. */
  | { how: 'text' }
  /** A document that only platforms with another reader accept. */
  | { how: 'none' };

/** What the platform's default reader accepts, by extension. Source: platform-api.md 7.3. */
const readableText = new Set(['txt', 'markdown', 'md', 'mdx', 'html', 'htm', 'csv', 'vtt', 'properties']);
const readableBinary = new Set(['pdf', 'xls', 'xlsx', 'docx']);

/** Documents with a text that no reader here can find. */
const unread = new Set(['doc', 'dot', 'ppt', 'pptx', 'msg', 'epub', 'odt', 'ods', 'odp', 'rtf', 'pages']);

export function uploadMethod(path: string): UploadMethod {
  const extension = /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (readableText.has(extension)) return { how: 'file', isText: true };
  if (readableBinary.has(extension)) return { how: 'file', isText: false };
  return unread.has(extension) ? { how: 'none' } : { how: 'text' };
}
