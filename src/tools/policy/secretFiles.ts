import { canonicalName } from './canonicalName.ts';
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
} from './secretNames.ts';

/** Why no model ever gets to touch a file. */
export type SecretKind = 'environment' | 'key' | 'credentials' | 'repository';

/**
 * What copies are called: by editors and tools (`x.bak`, `x~`, `x.orig`, `x.save.1`, `x.~2~`, `.x.swp`, `#x#`), by
 * people (`x_old`, `x copy 2`, `x - 副本`) and as archives. Each takes the end of a name and begins with a character
 * that none of its own repetitions take, so that a name is gone through once.
 */
const copyEnds = [
  /~$/,
  /[.\-_ ]~?\d{1,14}~?$/,
  /[.\-_ ](bak|bck|bkp|backup|old|orig|original|save|saved|sav|prev|previous|copy|tmp|temp|rej|swp|swo|swn|kopie|copie|copia|rpmsave|rpmnew|rpmorig|dpkg-(?:old|new|dist|bak|tmp)|ucf-(?:old|new|dist))[-_.]?\d{0,14}$/,
  / ?\(\d{1,4}\)$/,
  / ?(- )?(copy|backup|kopie|copie|copia|副本|备份)( ?\d{1,4}| ?\(\d{1,4}\))?$/,
  /\.(gz|tgz|zip|bz2|xz|zst|7z|tar|rar|lz4)$/,
  /#$/,
];

/** The same in front of the extension: `credentials (1).json`, `settings.old.xml`. */
const copyMiddle =
  /(?: ?\(\d{1,4}\)|[.\-_ ](?:bak|backup|old|orig|copy)\d{0,4}| - copy(?: \(\d{1,4}\))?| copy \d{1,4}| ?(?:- )?(?:副本|备份)(?: ?\(?\d{1,4}\)?)?)(\.[a-z0-9]{1,10})$/;
const copyStarts = /^(\.?#|copy of |backup of |kopie von )/;

const mostCopies = 6;

/** The name itself and what it would be if it is the copy of something. */
function originalsOf(plain: string): string[] {
  const names = [plain];
  for (let name = plain; names.length <= mostCopies;) {
    const end = copyEnds.find((pattern) => pattern.test(name));
    const shorter = end
      ? name.replace(end, '').replace(/[ -]+$/, '')
      : copyMiddle.test(name)
        ? name.replace(copyMiddle, '$1')
        : name.replace(copyStarts, '');
    if (shorter === name || shorter === '') break;
    name = shorter;
    names.push(name);
    // An editor's own file beside `x` is `.x.swp`.
    if (name.startsWith('.') && /\.sw[nop]$/.test(plain)) names.push(name.slice(1));
  }
  return names;
}

/**
 * Why one name of a path is protected, or undefined. `parent` is the name before it. A copy is as secret as what it
 * was made from. A folder may be called `credentials` and hold code.
 */
export function secretName(name: string, parent: string, isFolder: boolean): SecretKind | undefined {
  const plain = canonicalName(name);
  const folder = parent === '' ? '' : canonicalName(parent);
  for (const each of originalsOf(plain)) {
    const kind = secretKind(each, folder, isFolder);
    if (kind) return kind;
  }
  return undefined;
}

function secretKind(plain: string, folder: string, isFolder: boolean): SecretKind | undefined {
  if (repositories.has(plain) || /^git~\d/.test(plain)) return 'repository';
  if (environmentPattern.test(plain)) return 'environment';
  if (stores.has(plain) || secretFolders.has(plain)) return 'credentials';
  if (nested.has(`${folder}/${plain}`)) return 'credentials';
  // At the top of a project it is Composer's; elsewhere a translation of the sign-in page has this name.
  if (folder === '' && plain === 'auth.json') return 'credentials';
  if (!isFolder && (credentialFiles.has(plain) || isCredentialData(plain))) return 'credentials';
  if (keyPatterns.some((pattern) => pattern.test(plain))) return 'key';
  if (credentialPatterns.some((pattern) => pattern.test(plain))) return 'credentials';
  return undefined;
}

/** `credentials`, `credentials-prod.json`, `credentials.yml.enc`, but not `credentials.ts`. */
function isCredentialData(plain: string): boolean {
  return /^\.?credentials(?![a-z])/.test(plain) && !sourceExtension.test(plain);
}

/** Why a relative path is protected: by its own name or by that of a folder it lies in. */
export function secretPath(relative: string, isFolder: boolean): SecretKind | undefined {
  // A backslash is an ordinary character on Unix, but what is protected must not hang on which one it is.
  const names = relative.split(/[\\/]+/);
  for (const [index, name] of names.entries()) {
    const kind = secretName(name, names[index - 1] ?? '', isFolder || index < names.length - 1);
    if (kind) return kind;
  }
  return undefined;
}

/** True for a folder that is a credentials store or lies in one, wherever it is. */
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
