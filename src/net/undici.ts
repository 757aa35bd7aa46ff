// The only import of undici: loaded at run time, since it is larger than everything else together.
export { Agent, Client } from 'undici';
