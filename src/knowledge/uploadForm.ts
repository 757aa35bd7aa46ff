/** How a file of this name goes to the platform. */
export type UploadForm =
  | { how: 'file'; contentType: string; isText: boolean }
  /** By its text, if it has one. */
  | { how: 'text' }
  /** A document that only platforms with another reader take. */
  | { how: 'none' };

/** What the platform's default reader takes, by extension. Source: platform-api.md 7.3. */
const readable = new Map<string, { contentType: string; isText: boolean }>([
  ['txt', { contentType: 'text/plain', isText: true }],
  ['markdown', { contentType: 'text/markdown', isText: true }],
  ['md', { contentType: 'text/markdown', isText: true }],
  ['mdx', { contentType: 'text/mdx', isText: true }],
  ['html', { contentType: 'text/html', isText: true }],
  ['htm', { contentType: 'text/html', isText: true }],
  ['csv', { contentType: 'text/csv', isText: true }],
  ['vtt', { contentType: 'text/vtt', isText: true }],
  ['properties', { contentType: 'text/plain', isText: true }],
  ['pdf', { contentType: 'application/pdf', isText: false }],
  ['xls', { contentType: 'application/vnd.ms-excel', isText: false }],
  [
    'xlsx',
    { contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', isText: false },
  ],
  [
    'docx',
    { contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', isText: false },
  ],
]);

/** Documents with a text that no reader here can find. */
const unread = new Set(['doc', 'dot', 'ppt', 'pptx', 'msg', 'epub', 'odt', 'ods', 'odp', 'rtf', 'pages']);

export function uploadForm(path: string): UploadForm {
  const extension = /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const known = readable.get(extension);
  if (known) return { how: 'file', ...known };
  return unread.has(extension) ? { how: 'none' } : { how: 'text' };
}
