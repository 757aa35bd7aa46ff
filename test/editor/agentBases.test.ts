import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toTreeItem } from '../../src/host/knowledge/tree/knowledgeTreeItem.ts';
import type { BaseNode } from '../../src/knowledge/view/treeNode.ts';
import { type PlatformServer, startPlatform } from '../servers/sandbox.ts';
import { type Asked, type PersonScript, withPerson } from './person.ts';
import type { OpenList } from './scriptedQuickPick.ts';

const agent = '8d2c6a1e-5b3f-4c7d-9e01-2a3b4c5d6e7f';

describe('an agent knowledge base', function () {
  this.timeout(60_000);
  let platform: PlatformServer;
  let result: unknown;
  /** Asked while the base was added. */
  let adding: Asked[];
  const run = (script: PersonScript, name: string, ...args: unknown[]) =>
    withPerson(script, async () => {
      result = await vscode.commands.executeCommand(`switchboard.${name}`, ...args);
    });
  const dataset = { id: agent, name: 'Harbour notes', isAgent: true };
  const node = {
    ...{ type: 'base', links: [], stuck: 0, search: '' },
    dataset: { ...dataset, description: '', isExternal: false, wordCount: 0, tags: [] },
  } satisfies BaseNode as BaseNode;
  const labelsOf = async (name: string, ...args: unknown[]): Promise<string[]> => {
    let labels: string[] = [];
    const look = async (list: OpenList) => {
      await list.item('Ships');
      ({ labels } = list);
      list.dismiss();
    };
    await run({ lists: [look] }, name, ...args);
    return labels;
  };

  before(async () => {
    platform = await startPlatform({
      version: '1.18.0',
      indexing: 'instant',
      seed: [
        { dataset: 'Ships', documents: [{ name: 'ships.md', text: 'Ships pay.' }] },
        { dataset: 'Quay' },
      ],
      agentBases: [
        { id: agent, sections: [{ path: ['Harbour', 'Fires'], page: 3, text: 'Fires are forbidden here.' }] },
      ],
    });
    await run({ types: [platform.url, platform.datasetKey] }, 'connectPlatform');
  });
  beforeEach(async () => {
    const page = `https://console.example.com/datasets/new/${agent}`;
    adding = await run({ types: [page, 'Harbour notes'] }, 'addKnowledgeBase');
  });
  afterEach(() => run({}, 'knowledge.removeBase', node, [node]));
  after(async () => {
    await run({}, 'removeKeys');
    await vscode.workspace
      .getConfiguration('switchboard')
      .update('platform.baseUrl', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await platform.stop();
  });

  it('is added by the address of its page, by a key that opens all others, and named', async () => {
    assert.deepEqual(result, [agent]);
    assert.equal(adding.filter(({ kind }) => kind === 'input').length, 2);
    const others = await run({ types: [platform.datasets[0]!.id] }, 'addKnowledgeBase');
    assert.deepEqual(result, []);
    assert.ok(others.some(({ text }) => text.includes('They are in the list.')));
    const gone = await run({ types: ['00000000-0000-4000-8000-000000000000'] }, 'addKnowledgeBase');
    assert.deepEqual(result, []);
    assert.ok(gone.some(({ kind }) => kind === 'error'));
  });

  it('is searched like the others, and its segment opened', async () => {
    const choose = async (list: OpenList) => list.accept('Harbour notes');
    const open = async (list: OpenList) => list.accept('Harbour › Fires');
    await run({ types: ['Are fires forbidden?'], lists: [choose, open] }, 'searchKnowledgeBase');
    assert.deepEqual(result, { found: 1, opened: { document: 'Harbour › Fires, page 3' } });
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Fires are forbidden here\./);
  });

  it('says what it is, and has no menus for what is only in the console', () => {
    const item = toTreeItem(node);
    assert.equal(item.description, 'agent knowledge base');
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.match(
      typeof item.tooltip === 'string' ? item.tooltip : '',
      /only searched here.*Built from documentation/s,
    );
    const extension =
      vscode.extensions.all.find(({ id }) => id.endsWith('.switchboard')) ?? assert.fail('not installed');
    const { menus } = (extension.packageJSON as { contributes: { menus: Record<string, Menu[]> } })
      .contributes;
    const shown = (menus['view/item/context'] ?? []).filter(({ when }) =>
      [...when.matchAll(/viewItem =~ \/(.*?)\/(?: |$)/g)].some(
        ([part, pattern = '']) =>
          new RegExp(pattern).test(item.contextValue ?? '') && when.includes(part) && /knowledge/.test(when),
      ),
    );
    assert.deepEqual(
      [...new Set(shown.map(({ command }) => command.replace('switchboard.knowledge.', '')))],
      ['search', 'copyId', 'removeBase'],
    );
  });

  it('is no target of an upload', async () => {
    const [file] = await vscode.workspace.findFiles('**/*.md', null, 1);
    const labels = await labelsOf('addToKnowledgeBase', file, [file]);
    assert.ok(labels.includes('Ships'));
    assert.ok(!labels.includes('Harbour notes'), labels.join());
  });

  it('is removed from the list, also with a key that opens all others', async () => {
    assert.ok((await labelsOf('searchKnowledgeBase')).includes('Harbour notes'));
    await run({}, 'knowledge.removeBase', node, [node]);
    assert.ok(!(await labelsOf('searchKnowledgeBase')).includes('Harbour notes'));
  });
});

interface Menu {
  command: string;
  when: string;
}
