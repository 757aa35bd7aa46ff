// The script that other programs start: the extension keeps it at a path that outlives its versions.
import { dirname, join } from 'node:path';
import { Bridge } from './bridge.ts';
import { windowsFolderName } from './windowRecords.ts';

const [, script = '', configuration = ''] = process.argv;
const { stdin, stdout } = process;
const bridge = new Bridge({
  windows: join(dirname(script), windowsFolderName),
  configuration,
  folder: process.cwd(),
  send: (line) => stdout.write(`${line}\n`),
});
stdin.on('data', (bytes: Buffer) => bridge.push(bytes));
stdin.on('end', () => bridge.end());
// The program is gone without a word.
stdout.on('error', () => process.exit());
stdin.on('error', () => process.exit());
