// A Chromium from the npm registry, for a machine without a browser (Linux x64).
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar';
import { cached, versions } from './cache.ts';
import { npm } from './npm.mjs';

const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/** Installs it if need be; `env` points it to libraries and fonts that the machine lacks. */
export async function npmChromium(): Promise<{ executablePath: string; env: NodeJS.ProcessEnv }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No browser was found. Please install Chrome, Chromium or Edge.');
  }
  const name = `chromium-${versions.chromium}`;
  const folder = await cached(name, `a browser (@sparticuz/chromium ${versions.chromium})`, install);
  const executablePath = join(folder, 'chromium');
  const { stdout } = await promisify(execFile)('ldd', [executablePath]).catch(() => ({
    stdout: 'not found',
  }));
  const env: NodeJS.ProcessEnv = { ...process.env, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  if (stdout.includes('not found')) {
    const paths = [join(folder, 'libraries', 'lib'), folder, process.env['LD_LIBRARY_PATH']];
    env['LD_LIBRARY_PATH'] = paths.filter(Boolean).join(':');
  }
  return { executablePath, env };
}

async function install(folder: string): Promise<void> {
  await npm(folder, ['install', `@sparticuz/chromium@${versions.chromium}`]);
  const bin = join(folder, 'node_modules', '@sparticuz', 'chromium', 'bin');
  const executable = join(folder, 'chromium');
  await Promise.all([
    pipeline(
      createReadStream(join(bin, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(executable),
    ),
    unpack(join(bin, 'swiftshader.tar.br'), folder),
    unpack(join(bin, 'fonts.tar.br'), folder),
    unpack(join(bin, 'al2023.tar.br'), join(folder, 'libraries')),
  ]);
  await writeFile(join(folder, 'fonts.conf'), fontsConf);
  await chmod(executable, 0o755);
  await rm(join(folder, 'node_modules'), { recursive: true });
}

async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await pipeline(createReadStream(archive), createBrotliDecompress(), extract({ cwd: folder }));
}
