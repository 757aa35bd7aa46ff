/** Longer code stays in one colour: highlighting it would hold up the page for a visible moment. */
const maxLength = 30_000;

const waiting: HTMLElement[] = [];
let running = false;

/** Highlights a finished `<code class="language-…">` when the page has nothing better to do. */
export function highlight(code: HTMLElement): void {
  if (code.dataset['highlighted'] || !languageOf(code) || code.textContent.length > maxLength) return;
  code.dataset['highlighted'] = 'waiting';
  waiting.push(code);
  if (!running) void run();
}

async function run(): Promise<void> {
  running = true;
  try {
    const { highlightToHtml } = await import('./languages.ts');
    for (let code = waiting.shift(); code; code = waiting.shift()) {
      await idle();
      const html = highlightToHtml(code.textContent, languageOf(code));
      // The library escapes the code and adds spans with classes, nothing else.
      if (html !== undefined && code.isConnected) code.innerHTML = html;
      code.dataset['highlighted'] = 'done';
    }
  } finally {
    running = false;
  }
}

function languageOf(code: HTMLElement): string {
  return /\blanguage-(\S+)/.exec(code.className)?.[1]?.toLowerCase() ?? '';
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 200 });
    else setTimeout(resolve, 0);
  });
}
