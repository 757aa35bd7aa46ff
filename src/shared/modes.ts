import * as z from 'zod/mini';

/** What models may do in the conversation that is shown. */

const modeOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** What it is for, in one sentence. */
  detail: z.optional(z.string()),
  /** What of its description does not hold here. */
  problem: z.optional(z.string()),
});
export type ModeOption = z.infer<typeof modeOptionSchema>;

const approvalOptionSchema = z.object({
  id: z.enum(['askFirst', 'editsAllowed']),
  name: z.string(),
  detail: z.string(),
});
export type ApprovalOption = z.infer<typeof approvalOptionSchema>;

export const permissionsSchema = z.object({
  mode: modeOptionSchema,
  modes: z.array(modeOptionSchema),
  approvals: approvalOptionSchema,
  approvalLevels: z.array(approvalOptionSchema),
});
export type Permissions = z.infer<typeof permissionsSchema>;

export const modeEvents = [
  z.object({ type: z.literal('permissionsChanged'), permissions: permissionsSchema }),
  /** The user is to choose a mode. */
  z.object({ type: z.literal('modesOpened') }),
] as const;

export const modeCommands = [
  z.object({ type: z.literal('selectMode'), modeId: z.string() }),
  z.object({ type: z.literal('selectApprovals'), level: z.enum(['askFirst', 'editsAllowed']) }),
  /** Read again what modes the project describes. */
  z.object({ type: z.literal('loadModes') }),
  /** Carry out the plan that this answer ends with. */
  z.object({ type: z.literal('startPlan'), id: z.string() }),
] as const;
const modeCommandSchema = z.discriminatedUnion('type', modeCommands);
export type ModeCommand = z.infer<typeof modeCommandSchema>;
