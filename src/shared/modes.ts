import * as z from 'zod/mini';

const modeOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  detail: z.optional(z.string()),
  /** Part of the mode's description that does not hold here. */
  problem: z.optional(z.string()),
});
export type ModeOption = z.infer<typeof modeOptionSchema>;

const handoffSchema = z.object({
  label: z.string(),
  /** The agent it leads to, and the message. */
  detail: z.string(),
});

const approvalOptionSchema = z.object({
  id: z.enum(['askFirst', 'editsAllowed']),
  name: z.string(),
  detail: z.string(),
  /** Part of the level that settings overrule. */
  problem: z.optional(z.string()),
});
export type ApprovalOption = z.infer<typeof approvalOptionSchema>;

const approvalsSchema = z.object({
  id: approvalOptionSchema.shape.id,
  name: z.string(),
  detail: z.string(),
  asksFirst: z.boolean(),
});
export type Approvals = z.infer<typeof approvalsSchema>;

export const permissionsSchema = z.object({
  mode: modeOptionSchema,
  handoffs: z.array(handoffSchema),
  modes: z.array(modeOptionSchema),
  approvals: approvalsSchema,
  approvalLevels: z.array(approvalOptionSchema),
});
export type Permissions = z.infer<typeof permissionsSchema>;

export const modeEvents = [
  z.object({ type: z.literal('permissionsChanged'), permissions: permissionsSchema }),
  z.object({ type: z.literal('modesOpened') }),
] as const;

export const modeCommands = [
  z.object({ type: z.literal('selectMode'), modeId: z.string() }),
  z.object({ type: z.literal('selectApprovals'), level: z.enum(['askFirst', 'editsAllowed']) }),
  z.object({ type: z.literal('loadModes') }),
  z.object({ type: z.literal('startPlan'), id: z.string() }),
  z.object({ type: z.literal('handOff'), index: z.int(), label: z.string() }),
] as const;
const modeCommandSchema = z.discriminatedUnion('type', modeCommands);
export type ModeCommand = z.infer<typeof modeCommandSchema>;
