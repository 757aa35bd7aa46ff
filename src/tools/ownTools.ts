import { toolPhrases } from './toolPhrases.ts';

export type OwnToolName = keyof typeof toolPhrases;

/** Switchboard's own tools in the order in which they are shown. They can be counted and listed before they are loaded. */
export const ownToolNames = Object.keys(toolPhrases) as OwnToolName[];

/** What needs no folder to work on. */
export const folderlessToolNames: readonly OwnToolName[] = ['search_knowledge'];
