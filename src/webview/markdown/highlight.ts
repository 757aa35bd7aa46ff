import type { HighlightRequest, HighlightResponse } from './highlightWorker.ts';

/** Longer code stays in one colour: to draw its parts would hold up the page for a visible moment. */
const maxLength = 20_000;
/**
 * No highlighter bounds its time, and no limit on the length does: 10 KB can take seconds. So it runs beside the page
 * and is ended. On an idle machine the longest ordinary code takes a tenth of this.
 */
const limitMs = 1000;

/** Code that is in view, what came into view last at the end. */
const waiting = new Set<HTMLElement>();
let running = false;
let worker: Worker | undefined;

const views = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) {
    waiting.delete(target as HTMLElement);
    if (isIntersecting) waiting.add(target as HTMLElement);
  }
  if (!running) void run();
});

/** Highlights a finished `<code class="language-…">` when it is in view and the page has nothing better to do. */
export function highlight(code: HTMLElement): void {
  if (code.dataset['highlighted'] || !languageOf(code) || code.textContent.length > maxLength) return;
  code.dataset['highlighted'] = 'waiting';
  views.observe(code);
}

/** It leaves the page: nobody will see its colours. */
export function cancelHighlight(code: HTMLElement): void {
  views.unobserve(code);
  waiting.delete(code);
}

async function run(): Promise<void> {
  running = true;
  for (let code = [...waiting].at(-1); code; code = [...waiting].at(-1)) {
    cancelHighlight(code);
    const text = code.textContent;
    // Without its colours it is the same code.
    const language = languageOf(code);
    if (language === 'mermaid') await draw(code);
    const html = await ask({ text, language }).catch(() => undefined);
    await idle();
    if (code.textContent !== text) continue;
    // The library escapes the code and adds spans with classes, nothing else.
    if (html !== undefined && code.isConnected) code.innerHTML = html;
    code.dataset['highlighted'] = 'done';
  }
  running = false;
}

/** Diagrams are drawn where code gets its colours: what is in view, one after another. */
async function draw(code: HTMLElement): Promise<void> {
  try {
    await (await import('./diagrams.ts')).drawDiagram(code);
  } catch (error) {
    console.error(error);
  }
}

async function ask(request: HighlightRequest): Promise<HighlightResponse> {
  const asked = (worker ??= await startWorker());
  const ended = new AbortController();
  const { signal } = ended;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<HighlightResponse>((resolve, reject) => {
      const onMessage = ({ data }: MessageEvent<HighlightResponse>) => resolve(data);
      asked.addEventListener('message', onMessage, { signal });
      asked.addEventListener('error', () => reject(new Error('The highlighter failed.')), { signal });
      timer = setTimeout(() => reject(new Error('The highlighter took too long.')), limitMs);
      asked.postMessage(request);
    });
  } catch (error) {
    asked.terminate();
    worker = undefined;
    throw error;
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function startWorker(): Promise<Worker> {
  const { default: script } = await import('./highlightWorker.ts?script');
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  try {
    return new Worker(url);
  } finally {
    URL.revokeObjectURL(url);
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
