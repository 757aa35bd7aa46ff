import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startRelay, type RelayServer } from '../servers/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { withPerson } from './person.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);
const savedAddress = () => vscode.workspace.getConfiguration('switchboard').get<string>('relay.baseUrl');

describe('connecting a relay, by its commands', () => {
  let relay: RelayServer;

  /** Number of the key's models, including those that aren't for chat. */
  const listed = () => relay.models.filter(({ id }) => id.startsWith('scripted-')).length;

  before(async () => {
    relay = await startRelay({ list: 'good', knowsEndpoints: true });
  });
  after(() => relay.stop());
  beforeEach(() => relay.clearRequests());
  afterEach(async () => {
    await withPerson({}, () => run('removeKeys'));
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('relay.baseUrl', undefined, vscode.ConfigurationTarget.Global);
  });

  it('tries before it saves, and sends the key as typed, trimmed, to that origin', async () => {
    let result: unknown;
    const asked = await withPerson({ types: [`${relay.url}/v1/`, ` ${relay.key} `] }, async () => {
      result = await run('connectRelay');
    });
    assert.deepEqual(result, { connected: true, address: relay.url, models: listed() });
    assert.equal(savedAddress(), relay.url);
    const [request] = relay.requests;
    assert.equal(request?.path, '/v1/models');
    assert.equal(request?.headers.authorization, `Bearer ${relay.key}`);
    assert.equal(asked[0]?.judged, `Requests will go to ${relay.url}/v1/…`);
  });

  it('tells the balance of the key', async () => {
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    let balance: unknown;
    await withPerson({}, async () => {
      balance = await run('showBalance');
    });
    assert.deepEqual(balance, { used: 3.17, left: 9.33, currency: 'USD' });
  });

  it('says what is missing where Enter is pressed in an empty box, and asks again', async () => {
    const judged = async (...types: string[]) => {
      const asked = await withPerson({ types }, () => run('connectRelay'));
      return asked.flatMap((each) => (each.kind === 'input' ? [each.judged] : []));
    };
    assert.deepEqual(await judged('', ' '), [undefined, 'Enter an address, or press Escape.']);
    const address = `Requests will go to ${relay.url}/v1/…`;
    const missing = 'Enter a key, or press Escape.';
    assert.deepEqual(await judged('', relay.url, '', ' '), [undefined, address, undefined, missing]);
    assert.equal(savedAddress(), '');
    await judged('', relay.url, '', relay.key);
    assert.equal(savedAddress(), relay.url);
  });

  it('saves nothing when the try failed and the user does not insist', async () => {
    const asked = await withPerson({ types: [relay.url, relay.keys.unknown] }, () => run('connectRelay'));
    const warning = asked.find(({ kind }) => kind === 'warning');
    assert.match(warning?.detail ?? '', /\/v1\/models[\s\S]*401[\s\S]*Invalid token/);
    assert.doesNotMatch(JSON.stringify(asked), new RegExp(relay.keys.unknown));
    assert.equal(savedAddress(), '');
    assert.equal(await run('removeKeys'), 0);
  });

  it('says why a key is rejected, and offers what can help', async () => {
    const warningFor = async (key: string) => {
      const asked = await withPerson({ types: [relay.url, key] }, () => run('connectRelay'));
      return asked.find(({ kind }) => kind === 'warning');
    };
    const expired = await warningFor(relay.keys.expired);
    assert.match(expired?.text ?? '', /^The key expired on .*2026/);
    assert.equal(expired?.buttons?.[0], 'Change Key');
    const elsewhere = await warningFor(relay.keys.ipNotAllowed);
    assert.match(elsewhere?.text ?? '', /doesn't accept this key from your network/);
    assert.ok(!elsewhere?.buttons?.includes('Change Address'));
  });

  it('saves what failed when the user insists', async () => {
    const types = ['http://127.0.0.1:9', 'sk-later'];
    const asked = await withPerson({ types, presses: ['Save Anyway'] }, () => run('connectRelay'));
    assert.equal(savedAddress(), 'http://127.0.0.1:9');
    assert.equal(asked.at(-1)?.text, 'Saved http://127.0.0.1:9 even though the test failed.');
  });

  it('goes back to the step that was wrong and keeps the other', async () => {
    let result: unknown;
    const types = [relay.url, relay.keys.unknown, relay.key];
    await withPerson({ types, presses: ['Change Key'] }, async () => {
      result = await run('connectRelay');
    });
    assert.deepEqual(result, { connected: true, address: relay.url, models: listed() });
  });

  it('offers the address of the relay where one of its pages was pasted, and asks nothing again', async () => {
    let result: unknown;
    const types = [`${relay.url}/console/token?tab=1#/keys`, relay.key];
    const asked = await withPerson({ types, presses: [`Use ${relay.url}`] }, async () => {
      result = await run('connectRelay');
    });
    assert.deepEqual(result, { connected: true, address: relay.url, models: listed() });
    assert.equal(savedAddress(), relay.url);
    const warning = asked.find(({ kind }) => kind === 'warning');
    assert.match(warning?.detail ?? '', new RegExp(`${relay.url} responded as expected`));
    assert.deepEqual(
      // The last request tests the chosen model; the panel's own list comes later.
      relay.requests.map(({ path }) => path).slice(0, 4),
      ['/console/token/v1/models', '/console/v1/models', '/v1/models', '/v1/models'],
    );
  });

  it('finds the relay also where the key is wrong, and then says that', async () => {
    const types = [`${relay.url}/console`, relay.keys.unknown, relay.key];
    let result: unknown;
    const asked = await withPerson({ types, presses: [`Use ${relay.url}`, 'Change Key'] }, async () => {
      result = await run('connectRelay');
    });
    assert.deepEqual(result, { connected: true, address: relay.url, models: listed() });
    assert.equal(asked.filter(({ kind }) => kind === 'warning').length, 2);
  });

  it('asks once before a key travels to another machine unencrypted', async () => {
    // A name that resolves to nothing: the question comes before any request.
    const types = ['http://relay.invalid:3000', 'https://relay.invalid'];
    let asked = await withPerson({ types }, () => run('connectRelay'));
    assert.deepEqual(
      asked.map(({ kind, text }) => [kind, text]),
      [
        ['input', 'Connect Relay (1/2): Address'],
        ['warning', 'Send the key to http://relay.invalid:3000 unencrypted?'],
        ['input', 'Connect Relay (1/2): Address'],
        ['input', 'Connect Relay (2/2): Key'],
      ],
    );
    const again = { types: ['http://relay.invalid:3000', 'sk-a'], presses: ['Send Unencrypted'] };
    asked = await withPerson(again, () => run('connectRelay'));
    assert.equal(asked.filter(({ kind }) => kind === 'warning').length, 2, 'the question, and the failure');
    asked = await withPerson({ types: ['http://relay.invalid:3000/v1'] }, () => run('connectRelay'));
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['input', 'input'],
    );
    asked = await withPerson(
      { types: ['http://other.invalid'], presses: ['Use https://other.invalid'] },
      () => run('connectRelay'),
    );
    assert.equal(asked.at(-1)?.text, 'Connect Relay (2/2): Key');
  });

  it('takes a relay that lists nothing', async () => {
    const silent = await startRelay({ list: 'empty' });
    let result: unknown;
    const asked = await withPerson({ types: [silent.url, silent.key] }, async () => {
      result = await run('connectRelay');
    });
    await silent.stop();
    assert.deepEqual(result, { connected: true, address: silent.url, models: 0 });
    assert.match(asked.at(-1)?.text ?? '', /lists no models/);
  });

  it('refuses a key with white space inside, with its reason', async () => {
    const asked = await withPerson({ types: [relay.url, 'sk-a b'] }, () => run('connectRelay'));
    assert.match(asked.at(-1)?.judged ?? '', /contains spaces or line breaks/);
    assert.equal(savedAddress(), '');
  });

  it('forgets keys for good, one slot per origin', async () => {
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    let removed: unknown;
    await withPerson({}, async () => {
      removed = await run('removeKeys');
    });
    assert.equal(removed, 1);
    assert.equal(await run('removeKeys'), 0);
  });

  it('never sends a key to another origin, whatever the settings say', async () => {
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    const thief = await startRelay();
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('relay.baseUrl', thief.url, vscode.ConfigurationTarget.Global);
    assert.ok(await run('newChat'));
    assert.deepEqual(thief.requests, []);
    await thief.stop();
  });

  it('takes address and key from what a console copies', async () => {
    const copied = JSON.stringify({ _type: 'newapi_channel_conn', key: relay.key, url: relay.url });
    let result: unknown;
    const asked = await withPerson({ types: [copied] }, async () => {
      result = await run('connectRelay');
    });
    assert.deepEqual(result, { connected: true, address: relay.url, models: listed() });
    assert.equal(relay.requests[0]?.headers.authorization, `Bearer ${relay.key}`);
    assert.match(asked[0]?.judged ?? '', /^Requests will go to .* with the key sk-….{4}$/);
  });

  it('diagnoses the connection, after saying what it costs', async () => {
    await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
    let report: unknown;
    // An open panel shows the outcome itself.
    const asked = await withPerson({ picks: ['scripted-tools'] }, async () => {
      report = await run('diagnoseConnection');
    });
    assert.deepEqual([asked[0]?.kind, asked[0]?.text], ['pick', 'Diagnose Connection']);
    assert.ok(typeof report === 'string');
    assert.match(report, /^\[OK\] Tool call \(.*\): Tool calls work with scripted-tools\.$/m);
    assert.ok(!report.includes(relay.key));
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.deepEqual([document?.uri.scheme, document?.getText()], ['switchboard-report', report]);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('diagnoses what could not be connected, says the one thing to do, and copies the report', async () => {
    const script = {
      types: ['http://127.0.0.1:9', relay.key],
      presses: ['Diagnose Connection…', 'Copy Report'],
    };
    const asked = await withPerson(script, () => run('connectRelay'));
    const [, told] = asked.filter(({ kind }) => kind === 'warning');
    assert.match(told?.text ?? '', /^Connection refused by 127\.0\.0\.1:9\. Check the address/);
    assert.deepEqual(told?.buttons, ['Connect Relay…', 'Copy Report']);
    const report = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(report, /^\[Skipped\] Key: "TCP" failed\.$/m);
    await eventually(async () => assert.equal(await vscode.env.clipboard.readText(), report));
    assert.equal(savedAddress(), '');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('leads from a proxy that is not there to the setting that names it', async () => {
    const http = vscode.workspace.getConfiguration('http');
    await http.update('proxy', 'http://127.0.0.1:9', vscode.ConfigurationTarget.Global);
    try {
      const types = ['https://relay.invalid', relay.key];
      const asked = await withPerson({ types, presses: ['Diagnose Connection…'] }, () => run('connectRelay'));
      const [refused, told] = asked.filter(({ kind }) => kind === 'warning');
      const says = 'Couldn\'t connect to the proxy http://127.0.0.1:9. Check the setting "http.proxy".';
      assert.deepEqual([refused?.text, told?.text], [says, says]);
      assert.deepEqual(refused?.buttons, [
        ...['Diagnose Connection…', 'Try Again', 'Change Address', 'Save Anyway'],
      ]);
      assert.deepEqual(told?.buttons, ['Open Settings', 'Copy Report']);
    } finally {
      await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    }
  });

  describe('where one is connected', () => {
    let other: RelayServer;
    const settings = () => vscode.workspace.getConfiguration('switchboard');
    const entries = () => settings().get<{ baseUrl: string; name?: string }[]>('relay.connections');

    before(async () => {
      other = await startRelay({ list: 'good', knowsEndpoints: true });
    });
    after(() => other.stop());
    beforeEach(async () => {
      await withPerson({ types: [relay.url, relay.key] }, () => run('connectRelay'));
      other.clearRequests();
    });
    afterEach(() => settings().update('relay.connections', undefined, vscode.ConfigurationTarget.Global));

    it('adds another beside it, which can be named, made the default and removed', async () => {
      let result: unknown;
      await withPerson({ picks: ['Add Another'], types: [other.url, other.keys.oneModel] }, async () => {
        result = await run('connectRelay');
      });
      assert.deepEqual(result, { connected: true, address: other.url, models: 1, isFurther: true });
      assert.equal(savedAddress(), relay.url);
      const asked = [...new Set(other.requests.map(({ headers }) => headers.authorization))];
      assert.deepEqual(asked, [`Bearer ${other.keys.oneModel}`]);
      assert.ok(relay.requests.every(({ headers }) => headers.authorization === `Bearer ${relay.key}`));
      const rename = { picks: [`Change ${new URL(other.url).host}`, 'Rename'], types: ['Second'] };
      await withPerson(rename, () => run('connectRelay'));
      assert.deepEqual(entries(), [{ baseUrl: other.url, name: 'Second' }]);
      await withPerson({ picks: ['Change Second', 'Make Default'] }, () => run('connectRelay'));
      assert.equal(savedAddress(), other.url);
      const before = new URL(relay.url).host;
      await withPerson({ picks: [`Change ${before}`, 'Make Default'] }, () => run('connectRelay'));
      await withPerson({ picks: ['Change Second', 'Remove'] }, () => run('connectRelay'));
      assert.ok(entries()?.some(({ name }) => name === 'Second'));
      await withPerson({ picks: ['Change Second', 'Remove'], presses: ['Remove'] }, () =>
        run('connectRelay'),
      );
      assert.deepEqual([entries(), savedAddress()], [[{ baseUrl: relay.url }], relay.url]);
    });

    it('uses two keys of one relay, if both are wanted', async () => {
      let result: unknown;
      const types = [relay.url, relay.keys.oneModel];
      await withPerson({ picks: ['Add Another'], types }, async () => {
        result = await run('connectRelay');
      });
      assert.deepEqual([result, entries()], [{ connected: false }, []], 'no answer replaces no key');
      const insisting = { types: [relay.url, relay.keys.unknown], presses: ['Save Anyway'] };
      await withPerson({ picks: ['Add Another'], ...insisting }, async () => {
        result = await run('connectRelay');
      });
      assert.deepEqual([result, entries()], [{ connected: false }, []]);
      await withPerson({ picks: ['Add Another'], types, answers: ['Use Both'] }, async () => {
        result = await run('connectRelay');
      });
      assert.deepEqual(result, { connected: true, address: relay.url, models: 1, isFurther: true });
      assert.deepEqual([entries(), savedAddress()], [[{ baseUrl: `${relay.url}#2` }], relay.url]);
      const second = `${new URL(relay.url).host} (2)`;
      await withPerson({ picks: [`Change ${second}`, 'Remove'], presses: ['Remove'] }, () =>
        run('connectRelay'),
      );
      await withPerson({ picks: ['Add Another'], types, answers: ['Replace Key'] }, async () => {
        result = await run('connectRelay');
      });
      assert.deepEqual(result, { connected: true, address: relay.url, models: 1 });
      assert.deepEqual([entries(), savedAddress()], [[], relay.url]);
    });

    it('adds the one that an address is given for, as a link or a failure does', async () => {
      let result: unknown;
      const asked = await withPerson({ types: [other.url, other.keys.oneModel] }, async () => {
        result = await vscode.commands.executeCommand('switchboard.connectRelay', other.url);
      });
      assert.deepEqual(result, { connected: true, address: other.url, models: 1, isFurther: true });
      assert.equal(asked[0]?.text, 'Connect Relay (1/2): Address', 'which one is meant is known');
      assert.deepEqual([entries(), savedAddress()], [[{ baseUrl: other.url }], relay.url]);
      await withPerson({ types: [other.url, other.key] }, async () => {
        result = await vscode.commands.executeCommand('switchboard.connectRelay', other.url);
      });
      assert.deepEqual(entries(), [{ baseUrl: other.url }]);
      assert.equal((result as { models: number }).models, listed());
    });

    it('changes that one instead, and tells keys apart when they are removed', async () => {
      const types = [other.url, other.keys.oneModel];
      const picks = [`Change ${new URL(relay.url).host}`, 'Change Address'];
      await withPerson({ picks, types }, () => run('connectRelay'));
      assert.deepEqual([entries(), savedAddress()], [[], other.url]);
      let removed: unknown;
      await withPerson({}, async () => {
        removed = await run('removeKeys');
      });
      assert.equal(removed, 2, 'the key of the one that was changed is still saved');
      assert.equal(await run('removeKeys'), 0, 'both are gone');
    });
  });
});
