import {
  credentialFiles,
  credentialPatterns,
  environmentPattern,
  keyPatterns,
  nested,
  repositories,
  secretFolders,
  sourceExtension,
  stores,
} from './secretNameLists.ts';

export type SecretKind = 'environment' | 'key' | 'credentials' | 'repository';

/** Endings of copies (`x.bak`, `x~`, `#x#`, `x copy 2`) and archives; linear, since none repeats its first character. */
const copyEnds = [
  /~$/,
  /[.\-_ ]~?\d{1,14}~?$/,
  /[.\-_ ](bak|bck|bkp|backup|old|orig|original|save|saved|sav|prev|previous|copy|tmp|temp|rej|swp|swo|swn|kopie|copie|copia|rpmsave|rpmnew|rpmorig|dpkg-(?:old|new|dist|bak|tmp)|ucf-(?:old|new|dist))[-_.]?\d{0,14}$/,
  / ?\(\d{1,4}\)$/,
  / ?(- )?(copy|backup|kopie|copie|copia|副本|备份)( ?\d{1,4}| ?\(\d{1,4}\))?$/,
  /\.(gz|tgz|zip|bz2|xz|zst|7z|tar|rar|lz4)$/,
  /#$/,
];

const copyMiddle =
  /(?: ?\(\d{1,4}\)|[.\-_ ](?:bak|backup|old|orig|copy)\d{0,4}| - copy(?: \(\d{1,4}\))?| copy \d{1,4}| ?(?:- )?(?:副本|备份)(?: ?\(?\d{1,4}\)?)?)(\.[a-z0-9]{1,10})$/;
const copyStarts = /^(\.?#|copy of |backup of |kopie von )/;

const mostCopies = 6;

export function originalsOf(name: string): string[] {
  const plain = canonicalName(name);
  const names = [plain];
  for (let last = plain; names.length <= mostCopies;) {
    const end = copyEnds.find((pattern) => pattern.test(last));
    const shorter = end
      ? last.replace(end, '').replace(/[ -]+$/, '')
      : copyMiddle.test(last)
        ? last.replace(copyMiddle, '$1')
        : last.replace(copyStarts, '');
    if (shorter === last || shorter === '') break;
    last = shorter;
    names.push(last);
    // Vim's swap file of `x` is `.x.swp`.
    if (last.startsWith('.') && /\.sw[nop]$/.test(plain)) names.push(last.slice(1));
  }
  return names;
}

/** The reason why a name is secret. Copies count like the original; a folder `credentials` may hold code. */
export function secretName(name: string, parent: string, isFolder: boolean): SecretKind | undefined {
  const folder = parent === '' ? '' : canonicalName(parent);
  for (const each of originalsOf(name)) {
    const kind = secretKind(each, folder, isFolder);
    if (kind) return kind;
  }
  return undefined;
}

function secretKind(plain: string, folder: string, isFolder: boolean): SecretKind | undefined {
  if (repositories.has(plain) || /^git~\d/.test(plain)) return 'repository';
  if (environmentPattern.test(plain)) return 'environment';
  if (stores.has(plain) || secretFolders.has(plain)) return 'credentials';
  if (nested.has(`${folder}/${plain}`) || nested.has(`${folder.replace(/^\./, '')}/${plain}`))
    return 'credentials';
  // Composer's at the top, a tool's in a hidden folder; elsewhere translations.
  if (plain === 'auth.json' && /^(\.|$)/.test(folder)) return 'credentials';
  if (!isFolder && (credentialFiles.has(plain) || isCredentialData(plain))) return 'credentials';
  if (keyPatterns.some((pattern) => pattern.test(plain))) return 'key';
  if (credentialPatterns.some((pattern) => pattern.test(plain))) return 'credentials';
  return undefined;
}

/** `credentials` and `credentials-prod.json`, but not `credentials.ts`. */
function isCredentialData(plain: string): boolean {
  return /^\.?credentials(?![a-z])/.test(plain) && !sourceExtension.test(plain);
}

export function secretPath(relative: string, isFolder: boolean): SecretKind | undefined {
  const names = relative.split(/[\\/]+/);
  for (const [index, name] of names.entries()) {
    const kind = secretName(name, names[index - 1] ?? '', isFolder || index < names.length - 1);
    if (kind) return kind;
  }
  return undefined;
}

export function isInCredentialStore(absolute: string): boolean {
  return absolute.split('/').some((name, index, names) => {
    const plain = canonicalName(name);
    return (
      stores.has(plain) ||
      repositories.has(plain) ||
      nested.has(`${canonicalName(names[index - 1] ?? '')}/${plain}`)
    );
  });
}

const plainAscii = /^[\w-]+(\.[\w-]+)*$/;

/** A name as file systems compare it: without case, Windows streams, trailing dots and invisible characters. */
function canonicalName(name: string): string {
  if (plainAscii.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toLowerCase()
    .replace(/(?!^):.*$/s, '')
    .replace(/[. ]+$/, '');
}

/** The canonical names along a relative path. A backslash also separates, so that the verdict doesn't depend on it. */
export function canonicalNames(relative: string): string[] {
  return relative.split(/[\\/]+/).map(canonicalName);
}
