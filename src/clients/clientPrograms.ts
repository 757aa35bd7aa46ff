import type { ClientProgram } from './clientProgram.ts';
import type { KnowledgeProgram } from './knowledgeProgram.ts';
import { aider } from './programs/aider.ts';
import { claudeCode } from './programs/claudeCode.ts';
import { cline } from './programs/cline.ts';
import { codex } from './programs/codex.ts';
import { continueClient } from './programs/continueClient.ts';
import { cursor } from './programs/cursor.ts';
import { kilo } from './programs/kilo.ts';
import { openClaw } from './programs/openClaw.ts';
import { opencode } from './programs/opencode.ts';
import { pi } from './programs/pi.ts';
import { qwenCode } from './programs/qwenCode.ts';

export const clientPrograms: readonly ClientProgram[] = [
  claudeCode,
  codex,
  openClaw,
  opencode,
  qwenCode,
  continueClient,
  cline,
  pi,
  aider,
];

export const knowledgePrograms: readonly KnowledgeProgram[] = [
  claudeCode,
  codex,
  opencode,
  qwenCode,
  cline,
  openClaw,
  kilo,
  cursor,
];
