import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { onTestsEnd } from '../host/testsEnd.ts';
import {
  plainSettings,
  startCodeServer,
  type CodeServer,
  type CodeServerOptions,
} from '../host/codeServer.ts';
import { leaveUsers } from '../host/users.ts';
import { openWindow, panelFrame } from '../host/workbench.ts';
import type { AppName } from '../servers/platform/apps/sandboxApps.ts';
import type { ChatRequest } from '../servers/relay/chatRequest.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../servers/sandbox.ts';

export interface Stage {
  browser: Browser;
  editor: CodeServer;
  sandbox: Sandbox;
  workspace: string;
  /** Opens a window as a new user, or as the user of an earlier page. */
  open(context?: BrowserContext): Promise<{ page: Page; panel: Panel }>;
  close(): Promise<void>;
}

export interface StageOptions extends Pick<
  CodeServerOptions,
  'settings' | 'companions' | 'language' | 'asksForTrust'
> {
  sandbox?: SandboxOptions;
  /** True if the editor's environment has the sandbox's addresses and keys. */
  connected: boolean;
  /** Further variables of the editor. */
  variables?: Record<string, string>;
  /** Apps whose keys the environment has, too. */
  apps?: readonly AppName[];
}

interface Servers {
  editor: CodeServer;
  sandbox: Sandbox;
}

/** Shared by most suites, as an editor takes seconds to start. Each suite has its own workspace and user. */
export const usual: StageOptions = { connected: true, sandbox: { list: 'good' } };
let ofUsual: Promise<Servers> | undefined;
let stages = 0;

export async function setUpStage(options: StageOptions): Promise<Stage> {
  const isShared = options === usual;
  const [browser, { editor, sandbox }] = await Promise.all([
    sharedBrowser(),
    isShared ? (ofUsual ??= startForAll(options)) : startServers(options),
  ]);
  sandbox.relay.clearRequests();
  const workspace = await editor.scratch.workspace(join(`${++stages}`, 'sample'));
  return {
    browser,
    editor,
    sandbox,
    workspace,
    async open(context) {
      const page = await openWindow(browser, editor, workspace, context);
      return { page, panel: new Panel(panelFrame(page)) };
    },
    async close() {
      await leaveUsers(browser);
      if (!isShared) await Promise.all([editor.stop(), sandbox.stop()]);
    },
  };
}

/**
 * The stage of a suite; after a failure the next test gets a new window, user and workspace.
 * @param enter opens a window and does the first steps of every test
 */
export function useStage(setUp: () => Promise<Stage>, enter: (stage: Stage) => Promise<void>): void {
  let stage: Stage | undefined;
  let isUsable = false;
  beforeEach(async () => {
    if (isUsable) return;
    await stage?.close();
    stage = await setUp();
    await enter(stage);
    isUsable = true;
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') isUsable = false;
  });
  after(() => stage?.close());
}

async function startForAll(options: StageOptions): Promise<Servers> {
  const servers = await startServers(options);
  onTestsEnd(async () => void (await Promise.all([servers.editor.stop(), servers.sandbox.stop()])));
  return servers;
}

/**
 * VS Code's own extensions that ours uses or a test sees. The other 80 take a fifth of the processor time of opening a
 * window; they are there in `npm start` and in the editor stage.
 */
const builtIn = [
  'markdown-language-features',
  ...['theme-defaults', 'theme-seti', 'theme-modern-icons', 'configuration-editing'],
  ...['git', 'git-base', 'media-preview', 'search-result'],
  ...['json', 'javascript', 'typescript-basics', 'markdown-basics', 'python', 'yaml', 'shellscript'],
];

/** The editor before had it: at the same address the browser has the workbench in its cache. */
let port: number | undefined;

async function startServers({
  sandbox: sandboxOptions,
  connected,
  apps = [],
  variables = {},
  ...editorOptions
}: StageOptions): Promise<Servers> {
  const sandbox = await startSandbox(sandboxOptions);
  const env: Record<string, string> = connected
    ? {
        SWITCHBOARD_RELAY_URL: sandbox.relay.url,
        SWITCHBOARD_RELAY_KEY: sandbox.relay.key,
        SWITCHBOARD_PLATFORM_URL: sandbox.platform.url,
        SWITCHBOARD_DATASET_KEY: sandbox.platform.datasetKey,
        SWITCHBOARD_APP_KEYS: apps.map((name) => sandbox.platform.apps[name].key).join(','),
      }
    : {};
  const editor = await startCodeServer({
    ...editorOptions,
    ...{ env: { ...variables, ...env }, builtIn, port },
    settings: { ...plainSettings, ...editorOptions.settings },
  });
  port = Number(new URL(editor.url).port);
  return { editor, sandbox };
}

/** The newest chat request that the relay was sent. */
export function newestRequest({ sandbox }: Stage): ChatRequest {
  const request = sandbox.relay.requests.findLast(({ path }) => path === '/v1/chat/completions');
  return (request?.json ?? { model: '', messages: [] }) as ChatRequest;
}

/** The panel as a user finds it, by accessible names only. */
export class Panel {
  /** @param inTheirWords gives a name in the window's language */
  constructor(
    readonly frame: FrameLocator,
    private readonly inTheirWords = (english: string) => english,
  ) {}

  get messageBox(): Locator {
    return this.frame.getByRole('textbox', { name: this.inTheirWords('Message'), exact: true });
  }

  get entries(): Locator {
    return this.frame.getByRole('log', { name: this.inTheirWords('Conversation') }).getByRole('article');
  }

  /** The user's messages; an app may have greeted before the first. */
  private get said(): Locator {
    return this.frame.getByRole('article', { name: this.inTheirWords('You'), exact: true });
  }

  get alert(): Locator {
    return this.frame.getByRole('alert');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  calls(tool: string): Locator {
    return this.frame.getByRole('group', { name: `Tool ${tool}` });
  }

  /** The button of the newest call. */
  allow(tool: string): Locator {
    return this.calls(tool).last().getByRole('button', { name: 'Allow', exact: true });
  }

  get modelButton(): Locator {
    return this.frame.getByRole('button', { name: this.modelName('') });
  }

  private modelName(model: string): string {
    return this.inTheirWords('Model: {0}').replace('{0}', model);
  }

  titleButton(name: string): Locator {
    return this.frame
      .owner()
      .page()
      .locator('.part.auxiliarybar .title-actions')
      .getByRole('button', { name });
  }

  async focused(): Promise<void> {
    await this.messageBox.and(this.frame.locator(':focus')).waitFor();
  }

  async newChat(): Promise<void> {
    // A page that was hidden stays empty until it gets its state.
    const start = this.frame.getByText(this.inTheirWords('Enter sends, Shift+Enter starts a new line.'));
    await this.entries.first().or(start).first().waitFor();
    if ((await this.said.count()) === 0) return;
    await this.titleButton(this.inTheirWords('New Chat')).click();
    await this.said.first().waitFor({ state: 'detached' });
    // Pickers close when the panel takes the focus.
    await this.focused();
  }

  async dismiss(text: string | RegExp): Promise<void> {
    const notice = this.frame.getByText(text);
    await notice.waitFor();
    await this.button('Dismiss').last().click();
    await notice.waitFor({ state: 'detached' });
  }

  async selectModel(id: string): Promise<void> {
    await this.modelButton.click();
    await this.frame.getByRole('searchbox', { name: this.inTheirWords('Filter models') }).fill(id);
    await this.frame
      .getByRole('listbox', { name: this.inTheirWords('Models') })
      .getByRole('option', { name: id, exact: true })
      .first()
      .click();
    await this.button(this.modelName(id)).waitFor();
  }

  /** Sends a message, waits until the turn runs, and returns the locator of its answer. */
  send(text: string): Promise<Locator> {
    return this.begin(async () => {
      await this.messageBox.fill(text);
      await this.messageBox.press('Enter');
    });
  }

  /** Begins a turn, waits until it runs, and returns the locator of its answer. */
  async begin(turn: () => Promise<void>): Promise<Locator> {
    const before = await this.said.count();
    await turn();
    // The answer comes after Stop is shown; without this, `settled` could return before the turn begins.
    const answer = this.said.nth(before).locator('xpath=following::article[1]');
    await answer.waitFor();
    return answer;
  }

  async settled(): Promise<void> {
    await this.frame
      .getByRole('button', { name: this.inTheirWords('Stop'), exact: true })
      .waitFor({ state: 'detached' });
    await this.frame.locator('body').evaluate(async () => {
      for (let time = 0; time < 2; time++) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    });
  }
}
