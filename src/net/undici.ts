// The only place that loads undici. It is imported at run time, so the bundle keeps it in a file of its own: undici
// is larger than everything else together and only needed at the first request.
export { Agent, Client } from 'undici';
