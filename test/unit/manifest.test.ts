import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  appCommands,
  appsViewId,
  appTreeCommands,
  codeCommands,
  commandId,
  chatCommands,
  contextKey,
  contextKeys,
  historyCommands,
  historyTreeCommands,
  inlineEditCommands,
  historyViewId,
  knowledgeCommands,
  knowledgeTestFiles,
  knowledgeViewId,
  languageModelVendor,
  languageToolNames,
  linksFile,
  offerWorkflowsCommand,
  reviewCommands,
  suggestionCommands,
  setupViewId,
  knowledgeTestCommands,
  treeCommands,
  viewId,
} from '../../src/host/ids.ts';
import { settingSchemas } from '../../src/settings/readSetting.ts';
import { editors } from '../host/editors.ts';
import { localisedTexts } from '../support/localisedTexts.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const json = (path: string) => JSON.parse(read(path)) as Record<string, never>;

interface Manifest {
  icon: string;
  engines: { vscode: string };
  activationEvents: string[];
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  devDependencies: Record<string, string>;
  contributes: {
    languageModelChatProviders: { vendor: string }[];
    languageModelTools: { name: string; inputSchema: { type: string } }[];
    commands: { command: string; icon?: string }[];
    views: Record<string, { id: string; when?: string; visibility?: string }[]>;
    menus: Record<string, { command?: string; submenu?: string; when?: string; group?: string }[]>;
    submenus: { id: string; label: string }[];
    keybindings: { command: string; key: string; mac?: string; when: string; args?: object }[];
    viewsWelcome: { view: string; when?: string; contents: string }[];
    walkthroughs: {
      steps: { id: string; description: string; media: { markdown: string }; completionEvents: string[] }[];
    }[];
    configuration: { properties: Record<string, { default: unknown; scope?: string }> }[];
  };
}
const manifest = json('package.json') as unknown as Manifest;

/** Evaluates a `when` clause of `&&`, `||`, `!`, `==`, `!=` and parentheses. `keys` are the terms that are true. */
function holds(when: string, keys: ReadonlySet<string>): boolean {
  const inner = /\(([^()]*)\)/.exec(when);
  if (inner) return holds(when.replace(inner[0], String(holds(inner[1] ?? '', keys))), keys);
  const isTrue = (term: string): boolean =>
    term === 'true' || (term.includes(' != ') ? !keys.has(term.replace('!=', '==')) : keys.has(term));
  return when
    .split(' || ')
    .some((all) =>
      all.split(' && ').every((term) => (term.startsWith('!') ? !isTrue(term.slice(1)) : isTrue(term))),
    );
}

/** All states of some context keys, as those that are true. */
function statesOf(names: readonly string[]): ReadonlySet<string>[] {
  return Array.from(
    { length: 2 ** names.length },
    (_, bits) => new Set(names.filter((_name, at) => (bits >> at) & 1).map((name) => `switchboard.${name}`)),
  );
}

const greetingsIn = (id: string, keys: ReadonlySet<string>) =>
  manifest.contributes.viewsWelcome
    .filter(({ view, when = 'true' }) => view === id && holds(when, keys))
    .map(({ contents }) => contents.replaceAll('%', ''));

describe('package.json', () => {
  it('greets at the knowledge bases with one text, whatever is connected', () => {
    for (const keys of statesOf(['connected', 'platformConnected', 'signedIn'])) {
      const expected = keys.has('switchboard.platformConnected')
        ? 'welcome.noKnowledgeBases'
        : keys.has('switchboard.signedIn')
          ? 'welcome.signedIn'
          : 'welcome.notConnected';
      const shown = greetingsIn(knowledgeViewId, new Set([...keys, 'switchboard.noKnowledgeBases']));
      assert.deepEqual(shown, [expected], [...keys].join());
    }
  });

  it('leads through relay, platform and apps in this order, one at a time, beside what is there', () => {
    const views = manifest.contributes.views['switchboardKnowledge'] ?? [];
    for (const keys of statesOf(['connected', 'platformConnected', 'signedIn', 'hasApps'])) {
      const has = (name: string) => keys.has(`switchboard.${name}`);
      const hasPlatform = has('platformConnected') || has('signedIn');
      // With a relay and an app, the guide is gone.
      const step = !has('connected')
        ? [hasPlatform || has('hasApps') ? 'welcome.relayAfterPlatform' : 'welcome.relay']
        : has('hasApps')
          ? []
          : [hasPlatform ? 'welcome.apps' : 'welcome.platform'];
      assert.deepEqual(greetingsIn(setupViewId, keys), step, [...keys].join());
      const shownIn = (state: ReadonlySet<string>) =>
        views.filter(({ when = 'true' }) => holds(when, state)).map(({ id }) => id);
      assert.deepEqual(shownIn(new Set([...keys, 'switchboard.settingUp'])), [
        setupViewId,
        ...(hasPlatform ? [knowledgeViewId] : []),
        ...(has('hasApps') ? [appsViewId] : []),
        historyViewId,
      ]);
      assert.deepEqual(shownIn(keys), [knowledgeViewId, appsViewId, historyViewId]);
    }
    const folded = views.filter(({ visibility }) => visibility === 'collapsed').map(({ id }) => id);
    assert.deepEqual(folded, [appsViewId, historyViewId]);
  });

  it('keeps the names of its views readable: two icons at most, the rest in the menu', () => {
    const titles = manifest.contributes.menus['view/title'] ?? [];
    for (const id of [viewId, knowledgeViewId, appsViewId, historyViewId]) {
      const icons = titles.filter(
        ({ when, group }) => when?.split(' && ')[0] === `view == ${id}` && group?.startsWith('navigation'),
      );
      const places = new Set(icons.map(({ group }) => group));
      assert.ok(places.size <= 2, `${id}: ${icons.map(({ command }) => command).join()}`);
    }
  });

  it("offers its commit message only where the editor's own is off, asks to sign in or has no model", () => {
    const [item] = manifest.contributes.menus['scm/title'] ?? [];
    const isShown = (...keys: string[]) => holds(item?.when ?? '', new Set(['scmProvider == git', ...keys]));
    assert.equal(item?.command, commandId('generateCommitMessage'));
    assert.equal(isShown('chatSetupCompleted'), false);
    assert.equal(isShown('chatEntitlementSignedOut'), true);
    assert.equal(isShown('chatSetupCompleted', 'chatEntitlementSignedOut'), true);
    // With a model of ours for its small tasks, the editor's own works without an account.
    const signedOut = ['chatSetupCompleted', 'chatEntitlementSignedOut'];
    assert.equal(isShown(...signedOut, 'config.chat.byokUtilityModelDefault == mainAgent'), false);
    assert.equal(isShown(...signedOut, 'config.chat.utilitySmallModel'), false);
    // `chat.disableAIFeatures`, or an editor without a chat.
    assert.equal(isShown('chatSetupCompleted', 'chatSetupHidden'), true);
    assert.equal(isShown(), true);
    assert.equal(holds(item?.when ?? '', new Set()), false);
  });

  it('contributes exactly the commands and the views that the code registers', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command);
    const registered = [
      ...chatCommands.map(commandId),
      offerWorkflowsCommand,
      ...codeCommands.map((name) => `switchboard.${name}`),
      ...reviewCommands.map((name) => `switchboard.${name}`),
      ...suggestionCommands.map(commandId),
      ...knowledgeCommands.map((name) => `switchboard.${name}`),
      ...knowledgeTestCommands.map((name) => `switchboard.${name}`),
      ...treeCommands.map((name) => `switchboard.knowledge.${name}`),
      ...appCommands.map((name) => `switchboard.${name}`),
      ...appTreeCommands.map((name) => `switchboard.apps.${name}`),
      ...historyCommands.map((name) => `switchboard.${name}`),
      ...historyTreeCommands.map((name) => `switchboard.history.${name}`),
    ];
    assert.deepEqual(contributed.toSorted(), registered.toSorted());
    assert.equal(manifest.contributes.views['switchboard']?.[0]?.id, viewId);
    assert.deepEqual(
      manifest.contributes.views['switchboardKnowledge']?.map(({ id }) => id),
      [setupViewId, knowledgeViewId, appsViewId, historyViewId],
    );
  });

  it('is activated by what is used, by asking for a suggestion, a possible DSL, links to apps and knowledge tests', () => {
    assert.deepEqual(manifest.activationEvents, [
      'onUri',
      'onLanguage:yaml',
      'onCommand:editor.action.inlineSuggest.trigger',
      `workspaceContains:${linksFile}`,
      `workspaceContains:${knowledgeTestFiles}`,
    ]);
  });

  it('contributes exactly the models and the tools of the editor that the code registers', () => {
    const { languageModelChatProviders: providers, languageModelTools: tools } = manifest.contributes;
    assert.deepEqual(
      providers.map(({ vendor }) => vendor),
      [languageModelVendor],
    );
    assert.deepEqual(tools.map(({ name }) => name).toSorted(), Object.values(languageToolNames).toSorted());
    assert.ok(tools.every(({ inputSchema }) => inputSchema.type === 'object'));
  });

  it('names in its menus only commands that it contributes, and hides from the palette what needs a node', () => {
    const contributed = new Set(manifest.contributes.commands.map(({ command }) => command));
    for (const [menu, items] of Object.entries(manifest.contributes.menus)) {
      for (const { command } of items) {
        if (command !== undefined) assert.ok(contributed.has(command), `${menu}: ${command}`);
      }
    }
    const hidden = manifest.contributes.menus['commandPalette']?.filter(({ when }) => when === 'false');
    assert.deepEqual(
      hidden?.map(({ command }) => command).toSorted(),
      [
        ...treeCommands.map((name) => `switchboard.knowledge.${name}`),
        ...appTreeCommands.map((name) => `switchboard.apps.${name}`),
        ...historyTreeCommands.map((name) => `switchboard.history.${name}`),
        ...inlineEditCommands.map(commandId),
        'switchboard.applySearchSettings',
        'switchboard.explainTerminalSelection',
        'switchboard.explainTest',
        'switchboard.fixTest',
      ].toSorted(),
    );
  });

  it('renames and deletes by key the conversation that History has the focus on', () => {
    const keys = manifest.contributes.keybindings.filter(({ command }) => command.includes('.history.'));
    // A key press doesn't carry the line: the editor fills in these.
    const args = { $treeViewId: historyViewId, $focusedTreeItem: true };
    const when = `focusedView == ${historyViewId} && !inputFocus`;
    assert.deepEqual(keys, [
      { command: 'switchboard.history.rename', key: 'f2', when, args },
      { command: 'switchboard.history.delete', key: 'delete', mac: 'cmd+backspace', when, args },
    ]);
  });

  it('has one entry in each menu of files and texts: the submenu "Switchboard"', () => {
    const { menus, submenus } = manifest.contributes;
    const ids = ['switchboard.explorer', 'switchboard.tab', 'switchboard.editor'];
    assert.deepEqual(
      submenus,
      ids.map((id) => ({ id, label: 'Switchboard' })),
    );
    for (const [at, menu] of ['explorer/context', 'editor/title/context', 'editor/context'].entries()) {
      assert.deepEqual(
        menus[menu]?.map(({ submenu }) => submenu),
        [ids[at]],
        menu,
      );
    }
    for (const id of ids) assert.equal(menus[id]?.[0]?.command, commandId('addToChat'), id);
  });

  it("has New Chat and History as icons of the panel's title bar", () => {
    const icons = manifest.contributes.menus['view/title']?.filter(
      ({ when, group }) => when === `view == ${viewId}` && group?.startsWith('navigation'),
    );
    assert.deepEqual(
      icons?.map(({ command }) => command),
      [commandId('newChat'), commandId('showHistory')],
    );
    const withIcon = manifest.contributes.commands.filter(({ icon }) => icon).map(({ command }) => command);
    for (const { command } of icons ?? []) assert.ok(withIcon.includes(command ?? ''), command);
  });

  it('has an icon of at least 128 pixels, which is in the package', () => {
    const png = readFileSync(manifest.icon);
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(20) >= 128);
    assert.match(read('.vscodeignore'), new RegExp(`^!${manifest.icon}$`, 'm'));
  });

  it('gives each step of the side bar its command, and a way past it', () => {
    const nls = json('package.nls.json') as unknown as Record<string, string>;
    const commands = { relay: 'connectRelay', platform: 'connectPlatform', apps: 'signIn' };
    for (const [step, command] of Object.entries(commands)) {
      const text = nls[`welcome.${step}`] ?? '';
      assert.match(text, new RegExp(`^\\[[^\\]]+\\]\\(command:switchboard\\.${command}\\)$`, 'm'));
      assert.match(text, /\(command:switchboard\.skipSetup\)/);
    }
  });

  it('finishes the steps of its walkthrough by what it contributes', () => {
    const known = [...contextKeys.map((key) => `onContext:${contextKey(key)}`), `onView:${viewId}`];
    const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
    const nls = json('package.nls.json') as unknown as Record<string, string>;
    for (const { steps } of manifest.contributes.walkthroughs) {
      for (const { id, description, completionEvents } of steps) {
        assert.ok(completionEvents.length > 0, id);
        for (const event of completionEvents) assert.ok(known.includes(event), `${id}: ${event}`);
        const [, command = ''] =
          /\(command:([\w.]+)\)/.exec(nls[description.replaceAll('%', '')] ?? '') ?? [];
        assert.ok(commands.has(command), `${id}: ${command}`);
      }
    }
  });

  it('links to commands that it contributes, in the same places in both languages', () => {
    const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
    const linksIn = (file: string) =>
      Object.entries(json(file)).map(([name, text]) => [
        name,
        [...String(text).matchAll(/\(command:([\w.]+)\)/g)].map(([, command = '']) => command),
      ]);
    const english = linksIn('package.nls.json');
    assert.deepEqual(
      english.flatMap(([, links]) => links ?? []).filter((command) => !commands.has(command)),
      [],
    );
    assert.deepEqual(Object.fromEntries(linksIn('package.nls.zh-cn.json')), Object.fromEntries(english));
  });

  it('has a Chinese page of each step of its walkthrough, with the same pictures', () => {
    const pictures = (page: string) =>
      [...read(page).matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, path]) => path);
    for (const { media } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      assert.deepEqual(pictures(media.markdown.replace(/md$/, 'nls.zh-cn.md')), pictures(media.markdown));
    }
  });

  it('contributes exactly the settings that the code reads, and of the same kinds', () => {
    const block =
      /interface SettingValues \{([\s\S]*?)\n\}/.exec(read('src/settings/readSetting.ts'))?.[1] ?? '';
    const inCode = [...block.matchAll(/^ {2}'([\w.]+)': (.*);$/gm)].map(([, name = '', type = '']) => [
      name,
      type,
    ]);
    assert.ok(inCode.length > 0);
    const schemas = settingSchemas(manifest);
    assert.deepEqual(Object.keys(schemas).toSorted(), inCode.map(([name = '']) => name).toSorted());
    const kinds: [type: RegExp, declared: string[]][] = [
      [/^string$/, ['string']],
      [/^number$/, ['number', 'integer']],
      [/^number \| null$/, ['number,null', 'integer,null']],
      [/^\w+ \| null$/, ['string,null']],
      [/^boolean$/, ['boolean']],
      [/\[\]$/, ['array']],
      [/^Record</, ['object']],
      // One of several texts, or the platform's own rule.
      [/./, ['string', 'object']],
    ];
    for (const [name = '', type = ''] of inCode) {
      const kind = kinds.find(([of]) => of.test(type));
      assert.ok(kind?.[1].includes(String(schemas[name]?.type)), `${name}: ${type}`);
    }
  });

  it('keeps out of a workspace that is not trusted where keys go, what is sent there, what it costs, and what tools may do', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    const properties = manifest.contributes.configuration.flatMap((part) => Object.entries(part.properties));
    // Settings that only users can set don't need the word.
    const ofWorkspaces = properties.filter(([, { scope }]) => scope !== 'application');
    const decisive =
      /\.(?:baseUrl|headers|user|clientId|approval|commands|\w+File|model|maxTokens|reasoningEffort)$/;
    assert.deepEqual(
      restrictedConfigurations.toSorted(),
      ofWorkspaces.flatMap(([name]) => (decisive.test(name) ? [name] : [])).toSorted(),
    );
  });

  it('is built against, and tested in, the oldest editor it promises', () => {
    const promised = manifest.engines.vscode.replace('^', '').split('.').map(Number);
    const types = manifest.devDependencies['@types/vscode']!.split('.').map(Number);
    assert.deepEqual(types.slice(0, 2), promised.slice(0, 2));
    assert.deepEqual(editors.oldest.vscode.split('.').slice(0, 2).map(Number), promised.slice(0, 2));
    // Proposed API doesn't compile with those types; an editor that allows everything would run it.
    assert.equal('enabledApiProposals' in manifest, false);
  });
});

describe('translations', () => {
  it('say every string of package.json in both languages', () => {
    const used = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key!);
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json']) {
      assert.deepEqual(Object.keys(json(file)).toSorted(), [...new Set(used)].toSorted(), file);
    }
  });

  it('say every string of the code in Chinese, with the same places to fill in', () => {
    const bundle = json('media/l10n/bundle.l10n.zh-cn.json') as unknown as Record<string, string>;
    const used = new Set(localisedTexts().map(({ text }) => text));
    assert.deepEqual(
      [...used].filter((text) => !(text in bundle)),
      [],
      'not translated',
    );
    assert.deepEqual(
      Object.keys(bundle).filter((text) => !used.has(text)),
      [],
      'not used',
    );
    assert.deepEqual(Object.keys(bundle), Object.keys(bundle).toSorted(), 'sorted, so that changes merge');
    const places = (text: string) => [...new Set(text.match(/\{\w+\}/g))].toSorted();
    for (const [english, chinese] of Object.entries(bundle)) {
      assert.deepEqual(places(chinese), places(english), english);
    }
  });
});
