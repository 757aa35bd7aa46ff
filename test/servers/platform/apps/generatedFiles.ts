import { randomUUID } from 'node:crypto';
import type { Route } from '../../http/httpServer.ts';
import { htmlPage, sendReply } from '../../http/reply.ts';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAAd0lEQVR42u2XSw7AIAgFPYEn7tpr220XfrDlM00gYT0TTORRyp+qC8sUWq+2bFUZKXQnEwL/JKEFfyWhDT+SsIKLJKzhWwkP+FOCJeA1/ukzeMKHU0iBFEgBhEDoR5S7ALGOwwMJIpIhQikiliMOE8RphjhOresG9+bTG8AOJjgAAAAASUVORK5CYII=',
  'base64',
);

type GeneratedName = 'tides.png' | 'summary.md';

const contents: Readonly<Record<GeneratedName, { type: string; bytes: Buffer }>> = {
  'tides.png': { type: 'image/png', bytes: picture },
  'summary.md': {
    type: 'text/markdown; charset=utf-8',
    bytes: Buffer.from('# Summary\n\nWritten by a scripted workflow.\n'),
  },
};

/** @param origin empty for an address relative to the platform, as some sites return it */
export function generatedFileUrl(origin: string, name: GeneratedName): { id: string; url: string } {
  const id = randomUUID();
  return { id, url: `${origin}/files/tools/${id}/${name}?timestamp=0&nonce=sandbox&sign=sandbox` };
}

/** In bytes. */
export function generatedFileSize(name: GeneratedName): number {
  return contents[name].bytes.length;
}

/** Opens without a key, if it is signed. */
export const generatedFileRoute: Route & { path: RegExp } = {
  method: 'GET',
  path: /^\/files\/tools\/[0-9a-f-]{36}\/([^/]+)$/,
  handle(exchange) {
    const { request, response, params } = exchange;
    const file = new Map(Object.entries(contents)).get(params[0] ?? '');
    if (!file) return sendReply(exchange, htmlPage(404));
    if (!request.query.has('sign')) return sendReply(exchange, htmlPage(403));
    response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': String(file.bytes.length) });
    response.end(file.bytes);
  },
};

let previews = 0;

/** The address of an uploaded file, which opens without a key. */
export function previewUrl(origin: string, id: string): string {
  return `${origin}/files/${id}/file-preview?timestamp=0&nonce=${++previews}&sign=sandbox`;
}

export function pictureRoute(pictureId: string): Route & { path: RegExp } {
  return {
    method: 'GET',
    path: new RegExp(`^/files/${pictureId}/file-preview$`),
    handle(exchange) {
      const { request, response } = exchange;
      if (!request.query.has('sign')) return sendReply(exchange, htmlPage(403));
      response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': String(picture.length) });
      response.end(picture);
    },
  };
}
