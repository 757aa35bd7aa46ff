import { execFileSync } from 'node:child_process';

/** Runs Git in a folder as an author of its own. @returns what it printed, without space around it */
export function gitIn(folder: string, ...args: string[]): string {
  const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  return execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}
