const msPerFrame = 8;

let toMathMl: typeof import('./mathMl.ts').toMathMl | undefined;
let loading: Promise<void> | undefined;
const waiting = new Set<HTMLElement>();
let frame: number | undefined;
let spentMs = 0;

export function drawMath(root: HTMLElement): void {
  const undrawn = '.math:not(.drawn)';
  const found = root.matches(undrawn) ? [root] : root.querySelectorAll<HTMLElement>(undrawn);
  for (const element of found) waiting.add(element);
  if (waiting.size === 0) return;
  if (toMathMl) drawWaiting();
  else void loadMath().catch((error: unknown) => console.error(error));
}

export function loadMath(): Promise<void> {
  return (loading ??= load());
}

async function load(): Promise<void> {
  try {
    ({ toMathMl } = await import('./mathMl.ts'));
    drawConnected();
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

function drawConnected(limitMs?: number): void {
  for (const element of waiting) {
    if (!element.isConnected) waiting.delete(element);
  }
  drawWaiting(limitMs);
}

export function drawAllMath(): void {
  drawConnected(Infinity);
}

function drawWaiting(limitMs = msPerFrame): void {
  if (!toMathMl) return;
  const started = performance.now() - spentMs;
  for (const element of waiting) {
    if (performance.now() - started > limitMs) break;
    waiting.delete(element);
    const formula = element.textContent;
    const math = toMathMl(formula);
    if (!math) continue;
    element.dataset['formula'] = formula;
    element.replaceChildren(math);
    element.classList.add('drawn');
  }
  spentMs = performance.now() - started;
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    spentMs = 0;
    if (waiting.size > 0) drawConnected();
  });
}
