import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../base/errors/errors.ts';
import { replaceFile } from '../base/files/replaceFile.ts';

/** Part of other programs' files: it stays the same in every version. */
const scriptName = 'switchboard-knowledge.mjs';

/** Puts the script where programs start it, if it isn't there as this version has it. */
export async function installBridge(built: string, folder: string): Promise<string> {
  const script = join(folder, scriptName);
  const [wanted, present] = await Promise.all([
    readFile(built),
    readFile(script).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  ]);
  if (!present?.equals(wanted)) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await replaceFile(script, wanted, 0o600);
  }
  return script;
}
