// The peer does what most chat panels do: renders the whole answer again in each frame.
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

const root = document.getElementById('root') as HTMLElement;
root.innerHTML = '<div class="scroller"><div class="markdown"></div></div>';
root.className = 'panel';
const scroller = root.firstElementChild as HTMLElement;
const target = scroller.firstElementChild as HTMLElement;

const md = new MarkdownIt({ linkify: true });
let text = '';
let frame: number | undefined;

window.addEventListener('message', (event: MessageEvent<{ type: string; text?: string }>) => {
  if (event.data.type !== 'textAdded' || !event.data.text) return;
  text += event.data.text;
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    // The page's policy forbids the library's `style` attributes, even where they are only parsed.
    const html = md.render(text).replaceAll(/ style="text-align:\w+"/g, '');
    target.innerHTML = DOMPurify.sanitize(html, { FORBID_ATTR: ['style'] });
    scroller.scrollTop = scroller.scrollHeight;
  });
});

acquireVsCodeApi().postMessage({ type: 'ready' });
performance.mark('switchboard.hears');
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };
