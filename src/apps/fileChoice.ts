import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { extensionOf, type FileType, fileTypeOf } from '../platform/documents/contentTypes.ts';
import { tooLargeMessage } from './client/appFiles.ts';
import type { AcceptedFiles, FileReference, FileRules, FormField, MaxBytes } from './app.ts';

export type FileLimits = AcceptedFiles & { maxBytes: MaxBytes };

export interface LocalChoice {
  method: 'local_file';
  name: string;
  size: number;
  realPath?: string;
  /** Content in base64, for data that is no workspace file. */
  data?: string;
}

export interface SentFile {
  method: 'sent';
  name: string;
  reference: FileReference;
}

/** A local file, an address that the platform fetches, or a file that was sent before. */
export type ChosenFile = LocalChoice | { method: 'remote_url'; url: string } | SentFile;

export function sentType(
  file: ChosenFile,
  limits: Pick<AcceptedFiles, 'types' | 'extensions'>,
): FileType | undefined {
  const name = nameOf(file);
  const type = fileTypeOf(name);
  const { types, extensions } = limits;
  if (file.method === 'sent') {
    const { type: known } = file.reference;
    return types.length === 0 || types.includes(known) ? known : undefined;
  }
  if (type !== 'custom' && (types.length === 0 || types.includes(type))) return type;
  const isListed = extensions.includes(extensionOf(name));
  if (types.includes('custom') && isListed) return 'custom';
  if (types.length === 0 && (isListed || extensions.length === 0)) return type;
  // Addresses often lack a file name: the platform inspects the content.
  const [only] = types;
  return file.method === 'remote_url' && extensionOf(name) === '' && isFileType(only) ? only : undefined;
}

export function problemWithFiles(files: readonly ChosenFile[], limits: FileLimits): string | undefined {
  const { maxFiles } = limits;
  if (maxFiles !== undefined && files.length > maxFiles) {
    const count = formatNumber(files.length);
    return plural(
      maxFiles,
      l10n.t('Maximum 1 file ({0} chosen).', count),
      l10n.t('Maximum {0} files ({1} chosen).', formatNumber(maxFiles), count),
    );
  }
  for (const file of files) {
    const problem = problemWithFile(file, limits);
    if (problem) return problem;
  }
  return undefined;
}

export function problemsWithAttached(
  files: readonly { name: string; size: number }[],
  rules: FileRules,
): (string | undefined)[] {
  if (!rules.isEnabled) return files.map(() => l10n.t("The app doesn't accept files."));
  const all = files.map(({ name, size }) => ({ method: 'local_file' as const, name, size }));
  return all.map((file, index) => {
    const own = problemWithFiles([file], rules);
    return own || index < rules.maxFiles ? own : problemWithFiles(all, rules);
  });
}

function problemWithFile(file: ChosenFile, limits: FileLimits): string | undefined {
  const name = nameOf(file);
  const method = file.method === 'sent' ? file.reference.method : file.method;
  if (!limits.methods.includes(method)) {
    return method === 'remote_url'
      ? l10n.t('File addresses are not accepted here. Choose a file.')
      : l10n.t('Only file addresses are accepted here.');
  }
  if (file.method === 'remote_url' && !isWebAddress(file.url)) {
    return l10n.t('File addresses start with https:// or http://.');
  }
  if (!sentType(file, limits)) {
    return l10n.t('The app doesn\'t accept "{0}" here. Accepted: {1}.', name, describeTypes(limits));
  }
  const maxBytes = limits.maxBytes[fileTypeOf(name)];
  if (file.method === 'local_file' && file.size > maxBytes) return tooLargeMessage(file, maxBytes);
  return undefined;
}

function isFileType(type: string | undefined): type is FileType {
  return type === 'image' || type === 'document' || type === 'audio' || type === 'video' || type === 'custom';
}

function nameOf(file: ChosenFile): string {
  if (file.method !== 'remote_url') return file.name;
  return URL.canParse(file.url) ? (new URL(file.url).pathname.split('/').at(-1) ?? '') : file.url;
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

export function describeLimits({ type, files }: FormField): string {
  if (!files) return '';
  const { maxFiles } = files;
  const count =
    type === 'file-list' && maxFiles !== undefined
      ? plural(maxFiles, l10n.t('at most 1 file'), l10n.t('at most {0} files', formatNumber(maxFiles)))
      : '';
  return [describeTypes(files), count].filter(Boolean).join('; ');
}

function describeTypes({ types, extensions }: AcceptedFiles): string {
  const named = types.filter((type) => type !== 'custom').map(typeLabel);
  const listed = types.includes('custom') || types.length === 0 ? extensions : [];
  return [...named, ...listed].join(', ');
}

function typeLabel(type: string): string {
  switch (type) {
    case 'image':
      return l10n.t('images');
    case 'document':
      return l10n.t('documents');
    case 'audio':
      return l10n.t('audio');
    case 'video':
      return l10n.t('videos');
    default:
      return type;
  }
}
