import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import manifest from '../../package.json';
import type { MembersOf } from '../../src/connections/workspaceMembers.ts';
import { choosePermission } from '../../src/host/knowledge/choosePermission.ts';
import { chooseRule } from '../../src/host/knowledge/chooseRule.ts';
import type { KnowledgeCommandContext } from '../../src/host/knowledge/knowledgeCommandContext.ts';
import { Settings } from '../../src/host/settings.ts';
import type { Dataset } from '../../src/platform/records.ts';
import { emptyDataset } from '../support/emptyDataset.ts';
import { silentLog } from '../support/silentLog.ts';
import { replace, restoreAll } from './replace.ts';

interface Box {
  title: string;
  value: string;
  problem: unknown;
}

interface List {
  title: string;
  rows: readonly vscode.QuickPickItem[];
}

describe('a new knowledge base, by what it asks', () => {
  let boxes: Box[];
  let lists: List[];

  /** Answers lists by labels, all of an array in one list; one beyond these is dismissed. */
  function pick(...answers: (string | string[])[]) {
    replace(
      vscode.window,
      'showQuickPick',
      async (rows: vscode.QuickPickItem[], { title = '', canPickMany }: vscode.QuickPickOptions) => {
        lists.push({ title, rows });
        const wanted = answers.shift();
        if (wanted === undefined) return undefined;
        assert.equal(Array.isArray(wanted), canPickMany ?? false);
        const picked = rows.filter(({ label }) => [wanted].flat().includes(label));
        return canPickMany ? picked : picked[0];
      },
    );
  }
  /** Types into boxes, which the editor does not let go with a problem. */
  function type(...texts: string[]) {
    replace(
      vscode.window,
      'showInputBox',
      async ({ title = '', value = '', validateInput }: vscode.InputBoxOptions) => {
        const text = texts.shift();
        const problem = text === undefined ? undefined : await validateInput?.(text);
        boxes.push({ title, value, problem });
        return problem ? undefined : text;
      },
    );
  }

  beforeEach(() => {
    [boxes, lists] = [[], []];
    pick();
    type();
  });
  afterEach(restoreAll);

  describe('how its documents are split', () => {
    const settings = new Settings(manifest, silentLog);
    const choose = (label: string, ...typed: string[]) => {
      boxes = [];
      pick(label);
      type(...typed);
      return chooseRule({ settings });
    };

    it('follows the setting, is automatic, or is left open with the list', async () => {
      assert.deepEqual(await choose('Use setting'), { rule: undefined });
      assert.equal(lists[0]?.rows[0]?.description, 'automatic');
      assert.deepEqual(await choose('Automatic'), { rule: { mode: 'automatic' } });
      assert.equal(await choose('none of these'), undefined);
      assert.equal(boxes.length, 0);
    });

    it('is by lengths and overlaps as typed', async () => {
      const chosen = await choose('Custom…', ' 50 ', '49');
      assert.deepEqual(chosen, {
        rule: {
          mode: 'custom',
          rules: {
            pre_processing_rules: [],
            segmentation: { separator: '\n\n', max_tokens: 50, chunk_overlap: 49 },
          },
        },
      });
      assert.deepEqual(boxes, [
        { title: 'Max tokens per segment', value: '800', problem: undefined },
        { title: 'Overlap (tokens)', value: '5', problem: undefined },
      ]);
      assert.equal((await choose('Custom…', '4000', '0'))?.rule?.mode, 'custom');
      assert.equal(boxes[1]?.value, '80');
    });

    it('takes only what the platform would take', async () => {
      const range = 'A whole number from 50 to 4,000';
      for (const wrong of ['49', '4001', '60.5', '-60', 'many', '', ' ', '1e9']) {
        assert.equal(await choose('Custom…', wrong, '0'), undefined, wrong);
        assert.deepEqual([boxes.length, boxes[0]?.problem], [1, range], wrong);
      }
      for (const wrong of ['400', '-1', '']) {
        assert.equal(await choose('Custom…', '400', wrong), undefined, wrong);
        assert.equal(boxes[1]?.problem, 'A whole number from 0 to 399', wrong);
      }
    });

    it('is by parents and children no longer than these', async () => {
      const chosen = await choose('Parent and child chunks…', '1000', '1000');
      assert.deepEqual(chosen, {
        rule: {
          mode: 'hierarchical',
          rules: {
            pre_processing_rules: [],
            parent_mode: 'paragraph',
            segmentation: { separator: '\n\n', max_tokens: 1000 },
            subchunk_segmentation: { separator: '\n', max_tokens: 1000 },
          },
        },
      });
      assert.deepEqual(
        boxes.map(({ title, value }) => [title, value]),
        [
          ['Max tokens per parent segment', '1200'],
          ['Max tokens per child chunk', '250'],
        ],
      );
      assert.equal(await choose('Parent and child chunks…', '100', '101'), undefined);
      assert.deepEqual([boxes[1]?.value, boxes[1]?.problem], ['50', 'A whole number from 50 to 100']);
      assert.equal(await choose('Parent and child chunks…', '100', '49'), undefined);
      assert.equal(await choose('Parent and child chunks…', '49', '49'), undefined);
      assert.equal(boxes.length, 1);
    });
  });

  describe('who may see it', () => {
    const member = (id: string, name = '') => ({ id, name, email: `${id}@example.com` });
    const office: MembersOf = {
      workspace: 'Office',
      members: [member('a', 'Ann'), member('b'), member('o', 'Olga')],
    };
    const dock: MembersOf = { workspace: 'Dock', members: [member('c', 'Cleo'), member('o', 'Olga')] };
    let all: MembersOf[] | Error;
    let asked: { baseUrl: string; createdBy: string }[];
    let warned: string[];
    let datasets: Dataset[];
    const owned = (more: Partial<Dataset> = {}): Dataset => ({
      ...emptyDataset('d'),
      createdBy: 'o',
      ...more,
    });

    const contextOf = (canList = true) =>
      ({
        ...(canList && {
          members: async (of: { baseUrl: string; createdBy: string }) => {
            asked.push(of);
            if (all instanceof Error) throw all;
            return all;
          },
        }),
        ...{ notifications: {}, access: { baseUrl: 'http://platform/v1' } },
        knowledge: { bases: { state: { datasets } } },
        log: { ...silentLog, warn: (text: string) => void warned.push(text) },
      }) as unknown as KnowledgeCommandContext;
    const choose = (dataset?: Dataset, canList = true) =>
      choosePermission(contextOf(canList), 'Visibility', dataset);
    const labels = (index = 0) => lists[index]?.rows.map(({ label }) => label);

    beforeEach(() => {
      [all, asked, warned, datasets] = [[office], [], [], []];
    });

    it('is everyone, its owner alone, or as before when the list is dismissed', async () => {
      pick('All Members of the Workspace');
      assert.deepEqual(await choose(owned()), { permission: 'all_team_members' });
      pick('Only Its Owner');
      assert.deepEqual(await choose(owned()), { permission: 'only_me' });
      pick();
      assert.equal(await choose(owned()), undefined);
    });

    it('is some members of the workspace, whom the owner need not choose', async () => {
      pick('Some Members…', ['b@example.com']);
      const chosen = await choose(owned({ permission: 'partial_members', memberIds: ['a'] }));
      assert.deepEqual(chosen, { permission: 'partial_members', memberIds: ['b'] });
      assert.deepEqual(asked, [{ baseUrl: 'http://platform/v1', createdBy: 'o' }]);
      assert.deepEqual(labels(), ['Some Members…', 'All Members of the Workspace', 'Only Its Owner']);
      assert.equal(lists[0]?.rows[0]?.detail, undefined);
      assert.deepEqual(
        lists[1]?.rows.map(({ label, description, picked }) => [label, description, picked]),
        [
          ['Ann', 'a@example.com', true],
          ['b@example.com', 'b@example.com', false],
        ],
      );
      pick('Some Members…');
      assert.equal(await choose(owned()), undefined, 'no member is no answer');
    });

    it('asks for the workspace where the account has several that fit', async () => {
      all = [office, dock];
      pick('Some Members…', 'Dock', ['Cleo']);
      assert.deepEqual(await choose(owned()), { permission: 'partial_members', memberIds: ['c'] });
      assert.deepEqual(
        [lists[1]?.title, labels(1), labels(2)],
        ['Select Workspace', ['Office', 'Dock'], ['Cleo']],
      );
      pick('Some Members…');
      assert.equal(await choose(owned()), undefined);
    });

    it('knows the workspace of a new one by another of the same key', async () => {
      datasets = [emptyDataset('x'), owned()];
      pick('Only Its Owner');
      await choose();
      assert.deepEqual(asked, [{ baseUrl: 'http://platform/v1', createdBy: 'o' }]);
      assert.deepEqual(labels(), ['All Members of the Workspace', 'Only Its Owner', 'Some Members…']);
    });

    it('offers members only where they can be listed, and leaves a choice of the platform as it is', async () => {
      const everyone = ['All Members of the Workspace', 'Only Its Owner'];
      for (const [given, canList] of [
        [emptyDataset('x'), true],
        [owned(), false],
      ] as const) {
        lists = [];
        await choose(given, canList);
        assert.deepEqual(labels(), everyone);
      }
      assert.deepEqual(asked, []);
      all = new Error('The server is down.');
      lists = [];
      pick('Some Members');
      const chosen = await choose(owned({ permission: 'partial_members', memberIds: ['a'] }));
      assert.deepEqual(chosen, { permission: 'partial_members' });
      assert.deepEqual(labels(), ['Some Members', ...everyone]);
      assert.equal(lists[0]?.rows[0]?.detail, 'Choose the members on the platform.');
      assert.deepEqual(warned, ['The members of the workspace could not be listed: The server is down.']);
    });

    it('ends with the one who cancels', async () => {
      all = Object.assign(new Error('Cancelled'), { name: 'AbortError' });
      await assert.rejects(choose(owned()));
      assert.deepEqual([lists, warned], [[], []]);
    });
  });
});
