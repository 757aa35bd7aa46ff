import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { looksLikeFlow } from '../../src/host/flows/findFlows.ts';
import { linksFile } from '../../src/host/ids.ts';
import { hashOfDsl } from '../../src/flows/flowState.ts';
import { writeLinks } from '../../src/flows/sync/flowLinks.ts';
import { startPlatform } from '../servers/sandbox.ts';
import { brokenFlows } from '../support/brokenFlows.ts';
import { eventually } from '../support/eventually.ts';
import { flowText, plainNodes } from '../support/flowText.ts';
import { withPerson } from './person.ts';

describe('DSL files that are opened, without any command', function () {
  this.timeout(60_000);
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uriOf = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(uriOf(path), Buffer.from(text));

  async function open(path: string, text: string): Promise<vscode.TextDocument> {
    await write(path, text);
    const document = await vscode.workspace.openTextDocument(uriOf(path));
    await vscode.window.showTextDocument(document);
    return document;
  }
  const problemsOf = (document: vscode.TextDocument) =>
    vscode.languages
      .getDiagnostics(document.uri)
      .map(({ range, message }) => `${document.getText(range).split('\n', 1)[0]} | ${message}`);
  const link = (path: string, server: string) => {
    const hash = hashOfDsl('');
    const synced = { file: hash, platform: hash };
    return write(linksFile, writeLinks([{ path, server, workspaceId: 'w', appId: 'a', synced }]));
  };

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uriOf('broken'), { recursive: true });
    const links = uriOf(linksFile);
    await vscode.workspace.fs.delete(links).then(undefined, () => undefined);
  });

  const recognisable = brokenFlows.filter(([, text]) => looksLikeFlow(text));

  it(`tell each of ${recognisable.length} faults at its place`, async () => {
    assert.ok(recognisable.length >= 12);
    for (const [index, [what, text, expected]] of recognisable.entries()) {
      const document = await open(`broken/${index}.yml`, text);
      await eventually(() => {
        const found = problemsOf(document);
        assert.equal(found.filter((each) => expected.test(each)).length, 1, `${what}: ${found.join('\n')}`);
      });
    }
  });

  it('say that comments are lost, and complete and explain', async () => {
    const document = await open('broken/loose.yml', `# mine\n${flowText()}`);
    await eventually(() =>
      assert.match(problemsOf(document).join('\n'), /^# mine \| Comments and the order/),
    );
    const at = document.positionAt(document.getText().indexOf('{{#start.topic') + '{{#st'.length);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      ...[document.uri, at, '#'],
    );
    assert.ok(items.some(({ insertText }) => insertText === 'start.topic#}}'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      ...[document.uri, at],
    );
    const [said] = hovers.flatMap(({ contents }) => contents as vscode.MarkdownString[]);
    assert.match((said?.value ?? '').replaceAll('&nbsp;', ' '), /topic, output of Start/);
  });

  it('that are linked are told of even where nothing is left of them', async () => {
    await link('broken/linked.yml', 'https://dify.example.com');
    const document = await open('broken/linked.yml', 'just text');
    await eventually(() => assert.match(problemsOf(document).join('\n'), /not a YAML mapping/));
    const other = await open('broken/other.yml', 'just text');
    assert.deepEqual(problemsOf(other), []);
  });

  it('name knowledge bases that the connected platform does not have, if it is theirs', async () => {
    const platform = await startPlatform({ seed: [{ dataset: 'Harbour' }] });
    const configuration = vscode.workspace.getConfiguration('switchboard');
    try {
      await withPerson({ types: [platform.url, platform.datasetKey] }, () =>
        vscode.commands.executeCommand('switchboard.connectPlatform'),
      );
      const [own] = platform.datasets;
      const gone = '22222222-2222-4222-8222-222222222222';
      const node = { id: 'k', type: 'knowledge-retrieval', title: 'K', dataset_ids: [own!.id, gone] };
      const text = flowText({ nodes: [...plainNodes(), node] });
      const elsewhere = 'https://dify.example.com';
      await link('broken/bases.yml', elsewhere);
      const loose = await open('broken/loose.yml', text.replace('target: end', 'target: nowhere'));
      await eventually(() => assert.match(problemsOf(loose).join('\n'), /nowhere/));
      await link('broken/bases.yml', new URL(platform.url).origin);
      const document = await open('broken/bases.yml', text);
      await eventually(() => {
        const found = problemsOf(document);
        assert.deepEqual(found, [
          `${gone} | No knowledge base of this connection has the id ${gone}. The platform ignores it.`,
        ]);
      });
      assert.doesNotMatch(problemsOf(loose).join('\n'), /No knowledge base/);
    } finally {
      await withPerson({}, () => vscode.commands.executeCommand('switchboard.removeKeys'));
      await configuration.update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
      await platform.stop();
    }
  });
});
