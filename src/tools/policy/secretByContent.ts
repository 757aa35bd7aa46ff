import type { OpenFile } from '../files/fileSystem.ts';
import { originalsOf, type SecretKind } from './secretByName.ts';

const emptyValue = String.raw`value: {0,9}(?:''|""|null|~)? {0,9}\r?`;
/** A secret variable in the DSL of an app, unless its value is right beside it and empty. */
const filledVariable = new RegExp(
  String.raw`(?<!${emptyValue}\n[ -]{0,40})\bvalue_type["']?[ \t]{0,9}:[ \t]{0,9}["']?secret\b(?!["']? {0,9}\r?\n {0,40}${emptyValue}(?:\n|$))`,
);

/** Names that harmless files also have, with the content that reveals a secret. Each is linear. */
const rules: readonly { kind: SecretKind; name: RegExp; content: RegExp }[] = [
  { kind: 'key', name: /\.asc$/, content: /-----BEGIN PGP PRIVATE KEY BLOCK/ },
  { kind: 'key', name: /\.conf$/, content: /^ {0,9}PrivateKey {0,9}=/im },
  { kind: 'key', name: /^keys?\.txt$/, content: /^AGE-SECRET-KEY-1/m },
  {
    kind: 'key',
    name: /^(.*[-_.])?(keystore|wallet)\.json$/,
    content: /"(crypto|ciphertext|mnemonic|(private|secret)[-_]?key|seed)" {0,9}:/i,
  },
  { kind: 'credentials', name: /^cookies$/, content: /^SQLite format 3/ },
  { kind: 'credentials', name: /\.har$/, content: /"name" {0,9}: {0,9}"(authorization|(set-)?cookie)"/i },
  {
    kind: 'credentials',
    name: /^config\.json$/,
    content: /"auths"\s{0,99}:\s{0,99}\{\s{0,99}"[^"]{1,200}"\s{0,99}:\s{0,99}\{\s{0,99}"auth"/,
  },
  { kind: 'credentials', name: /\.ya?ml$/, content: filledVariable },
  { kind: 'credentials', name: /^bunfig\.toml$/, content: /\b(token|password) {0,9}= {0,9}"[^"$]/ },
  {
    kind: 'credentials',
    name: /^(nuget\.config|settings\.xml)$/,
    content: /<(packageSourceCredentials|apiKeys|password|passphrase|privateKey)>|"ClearTextPassword"/i,
  },
];

/** In bytes and characters. */
const headLength = 65_536;

export function mayHoldSecrets(path: string): boolean {
  return rulesOf(path).length > 0;
}

export function secretContent(path: string, text: string): SecretKind | undefined {
  return firstOf(rulesOf(path), text.slice(0, headLength));
}

export async function secretContentOf(path: string, open: OpenFile): Promise<SecretKind | undefined> {
  const wanted = rulesOf(path);
  if (wanted.length === 0) return undefined;
  const bytes = Buffer.alloc(headLength);
  const length = await open.read(bytes, 0);
  // Makes UTF-16 readable.
  return firstOf(wanted, bytes.toString('latin1', 0, length).replaceAll('\0', ''));
}

function rulesOf(path: string) {
  const names = originalsOf(path.slice(path.lastIndexOf('/') + 1));
  return rules.filter(({ name }) => names.some((each) => name.test(each)));
}

function firstOf(wanted: typeof rules, head: string): SecretKind | undefined {
  return wanted.find(({ content }) => content.test(head))?.kind;
}
