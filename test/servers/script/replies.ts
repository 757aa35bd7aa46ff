import { htmlPage, type Reply } from '../http/reply.ts';

/** Values that a reply's text may refer to. */
export interface RequestDetails {
  readonly model?: string;
  readonly requestId?: string;
}

/** A line of a data file of replies: `subject | about | status [header: value] | body`. */
export interface WrittenReply {
  readonly subject: string;
  readonly about: string;
  reply(details: RequestDetails): Reply;
}

/** Lines that begin with `#` are comments. */
export function readReplies(text: string): WrittenReply[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [subject = '', about = '', head = '', body = ''] = line.split(/ ?\| ?/, 4);
    const [, status = '', name, value = ''] = /^(\d+)(?: ([\w-]+): (.*))?$/.exec(head) ?? [];
    return {
      subject,
      about,
      reply(details) {
        if (body === 'page') return htmlPage(Number(status));
        const soon = () => new Date(Date.now() + 2000).toUTCString();
        return {
          status: Number(status),
          ...(name !== undefined && { headers: { [name]: value.replace('{soon}', soon) } }),
          body: body === '' ? '' : (JSON.parse(fill(body, details)) as object),
        };
      },
    };
  });
}

/** `{model}` and `{requestId}` in JSON text are replaced. */
function fill(json: string, { model = '', requestId = '' }: RequestDetails): string {
  const quoted = (value: string) => JSON.stringify(value).slice(1, -1);
  return json.replaceAll('{model}', () => quoted(model)).replaceAll('{requestId}', () => quoted(requestId));
}
