// What a suite of end-to-end tests has: an editor with the packaged extension, a sandbox, and the browser of all suites.
import { join } from 'node:path';
import type { Browser, BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { sharedBrowser } from '../host/sharedBrowser.ts';
import { onTestsEnd } from '../host/testsEnd.ts';
import { startCodeServer, type CodeServer, type CodeServerOptions } from '../host/codeServer.ts';
import { openWindow, panelFrame } from '../host/workbench.ts';
import type { AppName } from '../servers/platform/apps/sandboxApps.ts';
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
  /** Whether the editor's environment carries the sandbox's addresses and keys. */
  connected: boolean;
  /** The apps whose keys it carries, too. */
  apps?: readonly AppName[];
}

interface Servers {
  editor: CodeServer;
  sandbox: Sandbox;
}

/** What most suites need, and share: an editor takes seconds to start. Each has a workspace and a user of its own. */
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
      for (const context of browser.contexts()) await context.close();
      if (!isShared) await Promise.all([editor.stop(), sandbox.stop()]);
    },
  };
}

/**
 * Sets a stage up for the tests of a suite, which share it as long as they pass. After a failure the next test gets
 * a window, a user and a workspace of its own: nothing of what failed is left.
 * @param enter opens a window, and does what every test of the suite begins with
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

async function startServers({
  sandbox: sandboxOptions,
  connected,
  apps = [],
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
  return { editor: await startCodeServer({ ...editorOptions, env }), sandbox };
}

/** The panel as a user finds it: by accessible names alone. */
export class Panel {
  /** @param inTheirWords gives a name in the window's language */
  constructor(
    readonly frame: FrameLocator,
    private readonly inTheirWords = (english: string) => english,
  ) {}

  get messageBox(): Locator {
    return this.frame.getByRole('textbox', { name: this.inTheirWords('Message') });
  }

  get entries(): Locator {
    return this.frame.getByRole('log', { name: this.inTheirWords('Conversation') }).getByRole('article');
  }

  /** The user's messages; apps may have greeted before the first. */
  private get said(): Locator {
    return this.frame.getByRole('article', { name: this.inTheirWords('You'), exact: true });
  }

  get alert(): Locator {
    return this.frame.getByRole('alert');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name });
  }

  get modelButton(): Locator {
    return this.frame.getByRole('button', { name: this.modelName('') });
  }

  /** Of the button that chooses a model, up to the model's own name. */
  private modelName(model: string): string {
    return this.inTheirWords('Model: {0}').replace('{0}', model);
  }

  /** An icon of the view's title bar, in the editor's own document. */
  titleButton(name: string): Locator {
    return this.frame
      .owner()
      .page()
      .locator('.part.auxiliarybar .title-actions')
      .getByRole('button', { name });
  }

  /** Waits until what is typed goes into the message box. */
  async focused(): Promise<void> {
    await this.messageBox.and(this.frame.locator(':focus')).waitFor();
  }

  /** Leaves the open chat. One in which nothing was said is as good as new. */
  async newChat(): Promise<void> {
    // A page that was hidden is empty until it is told what it shows.
    const start = this.frame.getByText(this.inTheirWords('Enter sends, Shift+Enter starts a new line.'));
    await this.entries.first().or(start).first().waitFor();
    if ((await this.said.count()) === 0) return;
    await this.titleButton(this.inTheirWords('New Chat')).click();
    await this.said.first().waitFor({ state: 'detached' });
    // What is open when the panel takes the focus closes.
    await this.focused();
  }

  /** Waits until the panel says this above its message box, and dismisses it. */
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

  /** Sends a message, waits until the turn runs, and returns where its answer appears. */
  send(text: string): Promise<Locator> {
    return this.begin(async () => {
      await this.messageBox.fill(text);
      await this.messageBox.press('Enter');
    });
  }

  /** Does what begins a turn, waits until that runs, and returns where its answer appears. */
  async begin(turn: () => Promise<void>): Promise<Locator> {
    const before = await this.said.count();
    await turn();
    // The answer's entry comes after the state that shows Stop: `settled` must not find the turn not yet begun.
    const answer = this.said.nth(before).locator('xpath=following::article[1]');
    await answer.waitFor();
    return answer;
  }

  /** Waits until no turn runs and its answer is drawn to the end. */
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
