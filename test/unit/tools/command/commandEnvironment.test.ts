import assert from 'node:assert/strict';
import { commandEnvironment, environmentSecrets } from '../../../../src/tools/command/commandEnvironment.ts';

describe('tools: the environment of a command', () => {
  it('holds no key: none handed over, and no value with one that is kept', () => {
    const key = 'sk-0123456789abcdef';
    const env = commandEnvironment(
      {
        PATH: '/bin',
        SWITCHBOARD_RELAY_KEY: 'sk-from-the-environment',
        switchboard_app_keys: 'app-1',
        OPENAI_API_KEY: key,
        OTHER: `https://user:${key}@host`,
        HARMLESS: 'app',
        SHORT: 'eight888',
      },
      [key, 'app', 'eight888'],
    );
    assert.ok(!JSON.stringify(env).match(/sk-|app-1|eight/));
    assert.equal(env['PATH'], '/bin');
    assert.equal(env['HARMLESS'], 'app', 'what is too short to be a key is a word');
  });

  it('tells the keys that a command is given, by the names of their variables', () => {
    const names =
      'OPENAI_APIKEY OPENAI_API_KEY DEPLOY_KEY A_TOKEN CLIENT_SECRET DB_PASSWD DB_PASSWORD SIGNING_PASSPHRASE ' +
      'GITHUB_PAT AWS_CREDENTIAL AWS_CREDENTIALS KEY_1';
    for (const name of names.split(' '))
      assert.deepEqual(environmentSecrets({ [name]: 'eight888' }), ['eight888'], name);
    const env = {
      ...{
        GITHUB_TOKEN: 'ghs_1',
        NPM_TOKEN: 'npm-token-1',
        api_key_2: 'the-key-2',
        DB_PASSWORD: 'hunter2hunter2',
        TOKEN2: 'eight888',
      },
      ...{
        SSL_KEY: '/etc/ssl/private/a.key',
        KEYBOARD: 'colemak-dh',
        MONKEY: 'bananas-and-more',
        PWD: '/work/project',
      },
    };
    assert.deepEqual(environmentSecrets(env), ['npm-token-1', 'the-key-2', 'hunter2hunter2', 'eight888']);
  });

  it('turns pagers, colours and prompts off, and keeps the editor and shells out', () => {
    const env = commandEnvironment(
      {
        ...{
          PAGER: 'less',
          VSCODE_IPC_HOOK: 'x',
          ELECTRON_RUN_AS_NODE: '1',
          BASH_ENV: './evil',
          CDPATH: '/',
        },
        ...{
          ENV: './evil',
          PROMPT_COMMAND: 'evil',
          GIT_ASKPASS: 'editor',
          SSH_ASKPASS: 'editor',
          ENVIRONMENT: 'x',
        },
      },
      [],
    );
    assert.deepEqual(
      [env['PAGER'], env['GIT_PAGER'], env['NO_COLOR'], env['GIT_TERMINAL_PROMPT']],
      ['cat', 'cat', '1', '0'],
    );
    const kept = Object.keys(env).filter((name) =>
      /^(VSCODE|ELECTRON|BASH_ENV|CDPATH|ENV|PROMPT|.*ASKPASS)/.test(name),
    );
    assert.deepEqual(kept, ['ENVIRONMENT']);
  });

  it('adds to the settings that Git is given by the environment', () => {
    const env = commandEnvironment(
      { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
      [],
    );
    assert.equal(env['GIT_CONFIG_COUNT'], '3');
    assert.equal(env['GIT_CONFIG_KEY_0'], 'a.b');
    assert.deepEqual(
      [env['GIT_CONFIG_KEY_1'], env['GIT_CONFIG_VALUE_1']],
      ['safe.bareRepository', 'explicit'],
    );
  });
});
