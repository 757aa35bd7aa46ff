import { harbourAgent, repeatingAgent } from './scripts/agentApps.ts';
import { passagePlanner, tideHelper } from './scripts/chatApps.ts';
import { echoEverything, failingGuide, guide, pausingGuide } from './scripts/chatflowApps.ts';
import { rewrite } from './scripts/completionApps.ts';
import { faultApps } from './scripts/faultApps.ts';
import { failingWorkflow, pausingWorkflow, summarise } from './scripts/workflowApps.ts';
import type { ScriptedApp } from './scriptedApp.ts';

export const sandboxApps = {
  chat: tideHelper,
  form: passagePlanner,
  agent: harbourAgent,
  agentRepeats: repeatingAgent,
  chatflow: guide,
  formFlow: echoEverything,
  chatflowFails: failingGuide,
  chatflowPauses: pausingGuide,
  completion: rewrite,
  workflow: summarise,
  workflowFails: failingWorkflow,
  workflowPauses: pausingWorkflow,
  ...faultApps,
} as const satisfies Record<string, ScriptedApp>;

export type AppName = keyof typeof sandboxApps;
