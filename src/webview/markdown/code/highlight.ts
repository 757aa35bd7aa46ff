import type { HighlightRequest, HighlightResponse } from './highlightWorker.ts';

/** In characters; inserting longer highlighted code blocks the page visibly. */
const maxLength = 20_000;
/** Time until the worker is terminated: 10 KB can take seconds; the slowest ordinary code takes a fifth when idle. */
const limitMs = 500;
const loadLimitMs = 5000;

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

export function highlight(code: HTMLElement): void {
  if (code.dataset['highlighted'] || !languageOf(code) || code.textContent.length > maxLength) return;
  code.dataset['highlighted'] = 'waiting';
  views.observe(code);
}

export function cancelHighlight(code: HTMLElement): void {
  views.unobserve(code);
  waiting.delete(code);
}

async function run(): Promise<void> {
  running = true;
  for (let code = [...waiting].at(-1); code; code = [...waiting].at(-1)) {
    cancelHighlight(code);
    const text = code.textContent;
    // Without colours it is the same code.
    const language = languageOf(code);
    if (language === 'mermaid') await draw(code);
    const html = await highlightText(text, language).catch(() => undefined);
    await idle();
    if (code.textContent !== text) continue;
    // The library escapes the code and only adds spans with classes.
    if (html !== undefined && code.isConnected) code.innerHTML = html;
    code.dataset['highlighted'] = 'done';
  }
  running = false;
}

async function draw(code: HTMLElement): Promise<void> {
  try {
    await (await import('../diagrams.ts')).drawDiagram(code);
  } catch (error) {
    console.error(error);
  }
}

let last: Promise<unknown> = Promise.resolve();

/** Highlights a text as HTML; undefined if its language is unknown or it is long. Rejects if it takes too long. */
export function highlightText(text: string, language: string): Promise<HighlightResponse> {
  if (text.length > maxLength || !language) return Promise.resolve(undefined);
  // One at a time: the worker's answers don't name their request.
  const next = last.then(() => ask({ text, language }));
  // The caller reports its failure; later texts are still highlighted.
  last = next.catch(() => undefined);
  return next;
}

async function ask(request: HighlightRequest): Promise<HighlightResponse> {
  if (!worker) {
    worker = await createWorker();
    await answerOf(worker, loadLimitMs);
  }
  worker.postMessage(request);
  return answerOf(worker, limitMs);
}

async function answerOf(asked: Worker, mostMs: number): Promise<HighlightResponse> {
  const ended = new AbortController();
  const { signal } = ended;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<HighlightResponse>((resolve, reject) => {
      const onMessage = ({ data }: MessageEvent<HighlightResponse>) => resolve(data);
      asked.addEventListener('message', onMessage, { signal });
      asked.addEventListener('error', () => reject(new Error('The highlighter failed.')), { signal });
      timer = setTimeout(() => reject(new Error('The highlighter took too long.')), mostMs);
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

async function createWorker(): Promise<Worker> {
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
