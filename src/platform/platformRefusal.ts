import { asObject, asText, parseJson } from '../base/json.ts';

/** Service that a key opens; `account` is the user-level API with the token of a sign-in. */
export type PlatformService = 'knowledge' | 'app' | 'account';

export interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** In lower case, without parameters. */
  contentType: string;
  address: string;
  key: string;
  service: PlatformService;
  /** A file was sent: an error without a message then has its own reasons. */
  isUpload?: boolean;
  isNewerRoute?: boolean;
  nowMs: number;
}

/** True for "no such route", not for "no such record". */
export function isRouteMissing(refusal: Pick<Refusal, 'status' | 'body' | 'contentType'>): boolean {
  const { status, body } = refusal;
  if (status !== 404 && status !== 405) return false;
  if (isHtml(refusal)) return true;
  const { code, message } = readError(body) ?? noError;
  return (
    code === 'method_not_allowed' ||
    /requested URL was not found|method is not allowed for the requested URL/i.test(message)
  );
}

export function isHtml({ contentType, body }: Pick<Refusal, 'contentType' | 'body'>): boolean {
  return contentType.includes('html') || /^\s*<(!doctype|html)\b/i.test(body);
}

export interface PlatformWireError {
  code: string;
  message: string;
  field: string;
}

export const noError: PlatformWireError = { code: '', message: '', field: '' };

/** The error in a body of any form of platform-api.md 2; undefined if it has none. */
export function readError(body: string): PlatformWireError | undefined {
  const parsed = parseJson(body);
  if (typeof parsed === 'string' && parsed) return { ...noError, message: parsed };
  const outer = asObject(parsed);
  if (!outer) return undefined;
  const code = asText(outer['code']) ?? '';
  // 1.8 to 1.10: an entry per field, and a useless message.
  const fields = Object.entries(asObject(outer['errors']) ?? {}).flatMap(([field, reason]) =>
    typeof reason === 'string' && reason ? [{ field, reason }] : [],
  );
  if (fields.length > 0) {
    return { code, message: fields.map(({ reason }) => reason).join(' '), field: fields[0]?.field ?? '' };
  }
  const message = asText(outer['message']) ?? asText(outer['error']) ?? '';
  if (!code && !message) return undefined;
  return { code, field: asText(outer['params']) ?? '', ...readable(message) };
}

/** From 1.11 on, validation messages have lines for the count, the field, the reason and a link. */
function readable(text: string): { message: string; field?: string } {
  const message = text.replace(/\s*You have requested this URI.*$/s, '').trim();
  if (!/^\d+ validation errors? for /.test(message)) return { message };
  const [, field = '', reason = ''] = message.split('\n').map((line) => line.trim());
  // The bracket repeats the value, which may be a document's text.
  return { message: [field, reason.replace(/\s*\[type=.*$/s, '')].filter(Boolean).join(': '), field };
}
