import type { RecordedPart, RecordedRequest } from '../http/recordedRequest.ts';
import { invalidParam, refusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';

export interface UploadedFile {
  name: string;
  /** Undefined if the file isn't read as text, or was too large to keep. */
  text: string | undefined;
  size: number;
  sha256: string;
}

export interface Upload {
  /** The JSON of the part `data`; empty when there is none. */
  data: Record<string, unknown>;
  file: UploadedFile | undefined;
}

const readable = new Set([
  'txt',
  'markdown',
  'md',
  'mdx',
  'pdf',
  'html',
  'htm',
  'xlsx',
  'xls',
  'docx',
  'csv',
  'vtt',
  'properties',
]);
const binary = new Set(['pdf', 'xlsx', 'xls', 'docx']);

/** A part with a filename is a file, whatever its type. @param isUpdate refuses files with a message */
export function readUpload(context: PlatformContext, request: RecordedRequest, isUpdate: boolean): Upload {
  // The last part of a truncated body has no hash.
  const parts = request.parts.filter(({ sha256 }) => sha256 !== '');
  const files = parts.filter(({ filename }) => filename !== undefined);
  const data = parts.find(({ name, filename }) => name === 'data' && filename === undefined);
  if (data && context.wantsTypedData && !/^text\/plain\b/i.test(data.contentType ?? '')) {
    throw invalidParam('The part data must be of the type text/plain.');
  }
  const parsed = parseData(data?.text);
  const file = files.find(({ name }) => name === 'file');
  if (!file) {
    if (isUpdate && files.length === 0) return { data: parsed, file: undefined };
    throw refusal(400, 'no_file_uploaded', 'Please upload your file.');
  }
  if (files.length > 1) throw refusal(400, 'too_many_files', 'Only one file is allowed.');
  if (!file.filename) {
    throw refusal(400, 'filename_not_exists_error', 'The specified filename does not exist.');
  }
  return { data: parsed, file: readFile(context, file, file.filename, isUpdate) };
}

function readFile(
  { maxFileBytes }: PlatformContext,
  part: RecordedPart,
  filename: string,
  isUpdate: boolean,
): UploadedFile {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  // The real routes refuse these without a message.
  if (/[/\\]/.test(filename)) throw invalidParam('');
  if (!readable.has(extension)) {
    throw isUpdate ? refusal(415, 'unsupported_file_type', 'File type not allowed.') : invalidParam('');
  }
  if (part.size > maxFileBytes) {
    throw isUpdate ? refusal(413, 'file_too_large', 'File size exceeded. {message}') : invalidParam('');
  }
  return {
    name: cutName(filename, extension),
    text: binary.has(extension) ? undefined : part.text,
    size: part.size,
    sha256: part.sha256,
  };
}

/** At most 200 characters, keeping the extension. */
function cutName(filename: string, extension: string): string {
  return filename.length <= 200 ? filename : `${filename.slice(0, 200 - extension.length - 1)}.${extension}`;
}

function parseData(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw invalidParam('Expecting value: line 1 column 1 (char 0)');
}
