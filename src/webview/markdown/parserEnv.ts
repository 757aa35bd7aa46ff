import type { Env as AnyEnv } from 'markdown-it';

export type References = Record<string, { href: string; title: string }>;

export interface Env extends AnyEnv {
  references: References;
  steps: number;
  columns: number;
  surplus: Map<number, string[]>;
  isCut: boolean;
}

export function newEnv(references: References, isCut = false): Env {
  return { references, steps: 0, columns: 0, surplus: new Map(), isCut };
}
