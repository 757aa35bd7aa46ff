import assert from 'node:assert/strict';
import type { Browser, Locator, Page } from 'playwright-core';
import type { MentionOption } from '../../../src/shared/attachments.ts';
import type { PanelState, ToHost, ToPage } from '../../../src/shared/protocol.ts';
import { Deferred } from '../../../src/base/async/promises.ts';
import { reportFailures } from '../../host/screen.ts';
import { eventually } from '../../support/eventually.ts';
import { mentionOptions, panelState } from './states.ts';
import { bodyClasses, themeStyles, type PageAddress, type PageServer, type Theme } from './pageServer.ts';

declare global {
  interface Window {
    posts: ToHost[];
    askHost?(message: ToHost): Promise<ToPage[]>;
    violations: string[];
  }
}

/** Size in screen pixels, so a zoomed page has less room. */
export interface PanelSize {
  width?: number;
  height?: number;
  zoom?: number;
}

export interface PanelPageOptions extends PanelSize, PageAddress {
  /** Drawing what moves takes a fifth of the processor time, so only tests of it have it. */
  hasMotion?: boolean;
  beforeScript?(panel: PanelPage): Promise<void>;
}

function metricsOf({ width = 380, height = 700, zoom = 1 }: PanelSize) {
  return {
    width: Math.round(width / zoom),
    height: Math.round(height / zoom),
    deviceScaleFactor: zoom,
  };
}

type Host = (message: ToHost) => Promise<ToPage[]>;

/** Who answers a page; a function that was exposed to it stays for the next test. */
const hosts = new WeakMap<Page, Host>();

/** A page as tests see it: accessible names, and posts. */
export class PanelPage {
  private readonly errors: string[] = [];
  private readonly note = (error: Error) => void this.errors.push(String(error));

  private constructor(
    readonly page: Page,
    private isSpent: boolean,
  ) {
    page.on('pageerror', this.note);
  }

  /** @param left the page of an earlier test, to be used again: a new one costs half a second of processor time */
  static async open(
    browser: Browser,
    server: PageServer,
    options: PanelPageOptions = {},
    left?: Page,
  ): Promise<PanelPage> {
    const { beforeScript, hasMotion = false, width, height, zoom, ...address } = options;
    const metrics = metricsOf({ width, height, zoom });
    const page = left ?? (await newPage(browser, metrics.deviceScaleFactor));
    // The pointer of the test before would hover over what this one draws.
    await page.mouse.move(-1, -1);
    await page.setViewportSize({ width: metrics.width, height: metrics.height });
    await page.emulateMedia({
      reducedMotion: hasMotion ? 'no-preference' : 'reduce',
      forcedColors: 'none',
    });
    hosts.delete(page);
    const panel = new PanelPage(page, zoom !== undefined || beforeScript !== undefined);
    const early = new Deferred();
    if (beforeScript) {
      await page.route('**/panel.js', async (route) => {
        await early.promise;
        await route.continue();
      });
    }
    await page.goto(server.urlOf(address), { waitUntil: beforeScript ? 'commit' : 'load' });
    await beforeScript?.(panel);
    early.resolve();
    await panel.hears();
    return panel;
  }

  /** For a test that changes more than what the page shows, as its clock or its network: no other uses it then. */
  spend(): Page {
    this.isSpent = true;
    return this.page;
  }

  private async hears(): Promise<void> {
    await this.page.waitForFunction(
      () =>
        window.posts.some(({ type }) => type === 'ready') &&
        performance.getEntriesByName('switchboard.hears').length > 0,
    );
  }

  async say(...messages: ToPage[]): Promise<void> {
    await this.page.evaluate((all) => {
      for (const message of all) window.dispatchEvent(new MessageEvent('message', { data: message }));
    }, messages as unknown[]);
    await this.frame();
  }

  show(parts: Partial<PanelState> = {}): Promise<void> {
    return this.say({ type: 'stateReplaced', state: panelState(parts) });
  }

  /** Answers the page's posts from now on, also after `reopen`. */
  async serve(answer: Host): Promise<void> {
    hosts.set(this.page, answer);
    if (await this.page.evaluate(() => window.askHost !== undefined)) return;
    await this.page.exposeFunction('askHost', (message: ToHost) => hosts.get(this.page)?.(message) ?? []);
  }

  /** Hides the page and shows it again, which rebuilds it. */
  async reopen(): Promise<void> {
    await this.page.reload();
    await this.hears();
  }

  async resize(size: PanelSize): Promise<void> {
    // Other settings of the protocol are undone by the next screenshot.
    const { width, height } = metricsOf(size);
    await this.page.setViewportSize({ width, height });
    await this.frame();
  }

  async changeTheme(theme: Theme): Promise<void> {
    await this.page.evaluate(
      async ([href, bodyClass]) => {
        const old = document.querySelector<HTMLLinkElement>('link#theme')!;
        const link = Object.assign(old.cloneNode() as HTMLLinkElement, { href });
        const loaded = new Promise((resolve) => link.addEventListener('load', resolve));
        old.replaceWith(link);
        await loaded;
        document.body.className = bodyClass;
      },
      [themeStyles(theme), bodyClasses[theme]] as const,
    );
    await this.frame();
  }

  /** Waits until the page has drawn, and has run its effects. */
  async frame(): Promise<void> {
    await this.page.evaluate(async () => {
      // Preact runs effects in a timer set by a frame; the second round is for their own changes.
      for (let time = 0; time < 2; time++) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    });
  }

  async posts<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>[]> {
    const posts = await this.page.evaluate(() => window.posts);
    return posts.filter((post): post is Extract<ToHost, { type: T }> => post.type === type);
  }

  async posted<T extends ToHost['type']>(type: T): Promise<Extract<ToHost, { type: T }>> {
    await this.page.waitForFunction((wanted) => window.posts.some((post) => post.type === wanted), type);
    return (await this.posts(type)).at(-1) as Extract<ToHost, { type: T }>;
  }

  /** @param query the expected search @returns the id of the page's request for it */
  async typeMention(text: string, query = text.slice(text.lastIndexOf('@') + 1)): Promise<number> {
    const known = (await this.posts('findMentions')).length;
    await this.messageBox.pressSequentially(text);
    return eventually(async () => {
      const asked = (await this.posts('findMentions')).slice(known).at(-1);
      assert.equal(asked?.query, query);
      return asked.requestId;
    });
  }

  /** Types a text that ends in a mention, and answers the page's request. */
  async findMentions(text: string, options: MentionOption[] = mentionOptions): Promise<void> {
    const requestId = await this.typeMention(text);
    await this.say({ type: 'mentionsFound', requestId, options, isComplete: true });
  }

  get messageBox(): Locator {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get conversation(): Locator {
    return this.page.getByRole('log', { name: 'Conversation' });
  }

  get status(): Locator {
    return this.page.getByRole('status');
  }

  entry(name: string): Locator {
    return this.conversation.getByRole('article', { name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Throws if the page had an error or broke its policy. @returns the page, if another test may use it */
  async leave(): Promise<Page | undefined> {
    const violations = await this.page.evaluate(() => window.violations);
    this.page.off('pageerror', this.note);
    const complaints = [...this.errors, ...violations];
    if (this.isSpent || complaints.length > 0) await this.page.context().close();
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
    return this.isSpent ? undefined : this.page;
  }

  async close(): Promise<void> {
    this.spend();
    await this.leave();
  }
}

async function newPage(browser: Browser, deviceScaleFactor: number): Promise<Page> {
  const context = await browser.newContext({ deviceScaleFactor });
  const page = await context.newPage();
  await page.addInitScript(() => {
    // Tests share the session of their page; a reload is the same test. A diagram's frame may not read it.
    const isPage = window.parent === window;
    if (isPage && performance.getEntriesByType('navigation')[0]?.toJSON().type === 'navigate')
      sessionStorage.clear();
    window.posts = [];
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations.push(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        postMessage: async (message: ToHost) => {
          window.posts.push(structuredClone(message));
          for (const data of (await window.askHost?.(message)) ?? []) {
            window.dispatchEvent(new MessageEvent('message', { data }));
          }
        },
        // Outlives the page, as in the editor.
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
        setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
      }),
    });
  });
  await reportFailures(page);
  return page;
}
