export type FileType = 'image' | 'document' | 'audio' | 'video' | 'custom';

/** The platform's own table, by extension. */
const contentTypes: Readonly<Record<Exclude<FileType, 'custom'>, Readonly<Record<string, string>>>> = {
  image: {
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    png: 'image/png',
    webp: 'image/webp',
    gif: 'image/gif',
    svg: 'image/svg+xml',
  },
  document: {
    txt: 'text/plain',
    markdown: 'text/markdown',
    md: 'text/markdown',
    mdx: 'text/mdx',
    pdf: 'application/pdf',
    html: 'text/html',
    htm: 'text/html',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    xls: 'application/vnd.ms-excel',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    csv: 'text/csv',
    vtt: 'text/vtt',
    properties: 'text/plain',
    eml: 'message/rfc822',
    msg: 'application/vnd.ms-outlook',
    pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ppt: 'application/vnd.ms-powerpoint',
    xml: 'text/xml',
    epub: 'application/epub+zip',
  },
  audio: { mp3: 'audio/mpeg', m4a: 'audio/mp4', wav: 'audio/wav', amr: 'audio/amr', mpga: 'audio/mpeg' },
  video: { mp4: 'video/mp4', mov: 'video/quicktime', mpeg: 'video/mpeg', webm: 'video/webm' },
};

export function extensionOf(name: string): string {
  return /\.[^./\\]+$/.exec(name)?.[0].toLowerCase() ?? '';
}

export function fileTypeOf(name: string): FileType {
  const extension = extensionOf(name).slice(1);
  const types = ['image', 'document', 'audio', 'video'] as const;
  return types.find((type) => Object.hasOwn(contentTypes[type], extension)) ?? 'custom';
}

/** The platform passes the type on to vision models, and refuses a file without one. */
export function contentTypeOf(name: string): string {
  const type = fileTypeOf(name);
  const known = type === 'custom' ? undefined : contentTypes[type][extensionOf(name).slice(1)];
  return known ?? 'application/octet-stream';
}
