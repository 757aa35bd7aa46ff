import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startRelay, type RelayServer } from '../servers/sandbox.ts';
import { withPerson } from './person.ts';

const run = (command: string) => vscode.commands.executeCommand(`switchboard.${command}`);
const settings = () => vscode.workspace.getConfiguration('switchboard');
const set = (name: string, value: unknown) =>
  settings().update(name, value, vscode.ConfigurationTarget.Global);

describe("the secrets of a relay's headers, by their command", () => {
  const secret = 'team-q7Wm2Rt9Xb4Lp8';
  let relay: RelayServer;

  before(async () => {
    relay = await startRelay({ list: 'good', knowsEndpoints: true });
  });
  after(() => relay.stop());
  afterEach(async () => {
    await withPerson({}, () => run('removeKeys'));
    await set('relay.headers', undefined);
    await set('relay.baseUrl', undefined);
  });

  async function setSecret(types: string[], picks?: string[]) {
    let result: unknown;
    const asked = await withPerson({ types, ...(picks && { picks }) }, async () => {
      result = await run('setHeaderSecret');
    });
    return { result, asked };
  }

  async function connect(to: RelayServer) {
    to.clearRequests();
    const asked = await withPerson({ types: [to.url, to.key] }, () => run('connectRelay'));
    return { asked, teams: to.requests.map(({ headers }) => headers['x-team']) };
  }

  it('asks for a relay first, and says how a header uses a secret', async () => {
    const none = await setSecret(['never-asked']);
    assert.equal(none.result, undefined);
    assert.deepEqual(
      none.asked.map(({ kind, text, buttons }) => [kind, text, buttons]),
      [['information', 'Connect a relay first.', ['Connect Relay…']]],
    );
    await set('relay.baseUrl', relay.url);
    await set('relay.headers', { 'X-Team': 'plain' });
    const plain = await setSecret(['never-asked']);
    assert.equal(plain.result, undefined);
    assert.match(plain.asked[0]?.text ?? '', /Set a header's value to \$\{secret:name\}/);
    assert.deepEqual(plain.asked[0]?.buttons, ['Open Settings']);
  });

  it('sends the secret in its header, and keeps it out of the settings', async () => {
    await set('relay.baseUrl', relay.url);
    await set('relay.headers', { 'X-Team': '${secret:team}' });
    const refused = await connect(relay);
    assert.deepEqual(refused.teams, [], 'nothing is sent without it');
    assert.match(JSON.stringify(refused.asked), /needs the secret .*team.*Set Header Secret/);

    const { result, asked } = await setSecret([` ${secret} `]);
    assert.equal(result, 'team');
    assert.deepEqual(
      asked.map(({ kind, text }) => [kind, text]),
      [['input', `Secret "team" for ${relay.url}`]],
    );
    const { teams } = await connect(relay);
    assert.ok(teams.length > 0 && teams.every((team) => team === secret));
    assert.ok(!JSON.stringify(settings().inspect('relay.headers')).includes(secret));
  });

  it('sends it to no other relay', async () => {
    await set('relay.baseUrl', relay.url);
    await set('relay.headers', { 'X-Team': '${secret:team}' });
    await setSecret([secret]);
    const other = await startRelay({ list: 'good' });
    const { teams } = await connect(other);
    await other.stop();
    assert.ok(teams.length > 0 && teams.every((team) => team === undefined), 'it has none of the headers');
  });

  it('lets the user choose among several, and takes no value that headers cannot have', async () => {
    await set('relay.baseUrl', relay.url);
    await set('relay.headers', { 'X-Team': '${secret:team}', 'X-Both': '${secret:one} ${secret:team}' });
    const { result, asked } = await setSecret([secret], ['one']);
    assert.equal(result, 'one');
    assert.equal(asked[0]?.kind, 'pick');
    const broken = await setSecret(['line\u2028break'], ['team']);
    assert.equal(broken.result, undefined);
    assert.match(broken.asked[1]?.judged ?? '', /contains an invalid character/);
    assert.match((await setSecret(['  '], ['team'])).asked[1]?.judged ?? '', /Enter a value/);
  });
});
