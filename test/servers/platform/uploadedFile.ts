import type { RecordedPart, RecordedRequest } from '../http/recordedRequest.ts';
import { invalidParam, refusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';

/** A file as it was uploaded. */
export interface UploadedFile {
  name: string;
  /** Undefined for what is not read as text, or was too large to keep. */
  text: string | undefined;
  size: number;
  sha256: string;
}

/** The two parts of an upload. */
export interface Upload {
  /** The JSON of the part `data`; empty when there is none. */
  data: Record<string, unknown>;
  /** Undefined when there is no such part. */
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
/** Those that are not text. */
const binary = new Set(['pdf', 'xlsx', 'xls', 'docx']);

/**
 * Reads the parts as the framework does: with a filename it is a file, without one a field, whatever its type.
 * @param isUpdate the routes to update refuse files in words; those to create with an empty message
 */
export function readUpload(context: PlatformContext, request: RecordedRequest, isUpdate: boolean): Upload {
  // Of a body that ended too soon the last part has no hash.
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
  // The real routes let these escape without a word.
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

/** At most 200 characters, of which the extension stays. */
function cutName(filename: string, extension: string): string {
  return filename.length <= 200 ? filename : `${filename.slice(0, 200 - extension.length - 1)}.${extension}`;
}

function parseData(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw invalidParam('Expecting value: line 1 column 1 (char 0)');
}
