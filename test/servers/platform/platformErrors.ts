import type { Reply } from '../http/reply.ts';

export function platformError(status: number, code: string, message: string): Reply {
  return { status, body: { code, message, status } };
}

/** The framework's own page, recorded: also at `GET /v1/`, with any key. */
export const noSuchRoute: Reply = {
  status: 404,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body:
    '<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n' +
    '<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n',
};

/** Ends a call; `reply` is the whole answer. */
export class PlatformRefusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(`The platform refuses with ${reply.status}.`);
    this.name = 'PlatformRefusal';
    this.reply = reply;
  }
}

/** 400 in the normal form, for most mistakes that the routes find themselves. */
export function invalidParam(message: string): PlatformRefusal {
  return new PlatformRefusal(platformError(400, 'invalid_param', message));
}

export function notFound(message: string): PlatformRefusal {
  return new PlatformRefusal(platformError(404, 'not_found', message));
}

export function refusal(status: number, code: string, message: string): PlatformRefusal {
  return new PlatformRefusal(platformError(status, code, message));
}
