// The only import of undici, loaded at run time: the bundle keeps it in a file of its own, since it is larger than
// everything else together.
export { Agent, Client } from 'undici';
