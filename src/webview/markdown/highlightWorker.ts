import { highlightToHtml } from './languages.ts';

/** What the worker is asked, and what it answers: HTML, or nothing for a language that it does not know. */
export interface HighlightRequest {
  readonly text: string;
  readonly language: string;
}
export type HighlightResponse = string | undefined;

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const html: HighlightResponse = highlightToHtml(data.text, data.language);
  // The page's own `postMessage` has another signature.
  (postMessage as (message: HighlightResponse) => void)(html);
});
