/** There will be another try after `delayMs` milliseconds. `why`: in one sentence, the server's where it sent one. */
export interface RetryScheduled {
  type: 'retryScheduled';
  delayMs: number;
  why: string;
}
