import assert from 'node:assert/strict';
import type { CommandWords } from '../../../../src/tools/command/parseCommand.ts';
import { canBeOneOfMany, programOf } from '../../../../src/tools/command/unruledPrograms.ts';

const wordsOf = (line: string) => line.split(' ') as unknown as CommandWords;

describe('tools: words of a command that a rule may leave open', () => {
  const harmless = [
    'echo -n anything',
    'ls -la -1AFRSahlprt src',
    'cat -A -n a.ts',
    'head -n 5 -20 a.ts',
    'tail -n 5 -20 a.ts',
    'wc -l -cmw a.ts',
    'grep -rn -EFHchilnorvw TODO src',
    'git log -- -3 -a -b -n -r -s -v -vv --all --branch --cached --decorate --graph --list --merged --name-only main',
    'git log --name-status --no-color --oneline --porcelain --reverse --short --shortstat --show-current --staged',
    'git log --stat --verbose --version',
    'make -j4 -k -s all ./out.txt',
    'mvn -B -o -q --batch-mode test',
    'gradle -q --info --offline --stacktrace :app:test build',
    'npm -s --silent --if-present test -- --anything',
    'cargo -p -q -v --all --all-features --all-targets --bins --lib --locked --no-fail-fast --offline test',
    'cargo --quiet --release --tests --verbose --workspace test -- --anything',
    'go test -bench=. -count=1 -cover -failfast -json -parallel=2 -race -run=A -short -tags=a -timeout=9s -v ./...',
    'pytest -k -q -s -v -x --co --collect-only --ff --lf --maxfail=1 --tb=short tests',
    'tsc -b -p . --build --noEmit --pretty --project --version',
    'eslint --ext --fix --max-warnings --quiet src',
  ];
  for (const line of harmless)
    it(`has nothing against ${line}`, () => assert.equal(canBeOneOfMany(wordsOf(line)), true));

  for (const line of [
    'ls --hyperlink',
    'cat -v',
    'head -c',
    'tail -f',
    'wc --files0-from=a',
    'grep -f',
    'git log --output=a',
    'make -f',
    'mvn -f',
    'gradle -I',
    'npm --prefix',
    'cargo --config',
    'go test -exec',
    'pytest -p',
    'tsc --outDir',
    'eslint -c',
  ])
    it(`asks for ${line}`, () => assert.equal(canBeOneOfMany(wordsOf(line)), false));

  it('knows a program by its name, wherever it is and however Windows calls it', () => {
    for (const word of ['rm', '/bin/rm', 'C:\\x\\RM.EXE', 'rm.cmd', 'rm.bat', 'rm.com', './rm.ps1'])
      assert.equal(programOf(word), 'rm', word);
  });
});
