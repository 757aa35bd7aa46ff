/** What looks like files there is the system itself: memory, devices, and what containers are told in secret. */
const systemFolders = [
  '/proc',
  '/sys',
  '/dev',
  '/run/secrets',
  '/var/run/secrets',
  '/run/user',
  '/run/credentials',
];

/** True for a real path among the system's own; no setting opens them. */
export function isSystemPath(realPath: string): boolean {
  return systemFolders.some((folder) => realPath === folder || realPath.startsWith(`${folder}/`));
}

/** True for a workspace folder that is a whole system: it is no project. */
export function isWholeSystem(root: string): boolean {
  return /^\/*$/.test(root) || /^c:\/*$/i.test(root);
}
