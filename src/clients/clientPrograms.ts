import type { ClientProgram } from './clientProgram.ts';
import { claudeCode } from './programs/claudeCode.ts';
import { codex } from './programs/codex.ts';
import { opencode } from './programs/opencode.ts';

export const clientPrograms: readonly ClientProgram[] = [claudeCode, codex, opencode];
