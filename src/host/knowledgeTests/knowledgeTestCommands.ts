import type { Dataset } from '../../platform/records.ts';
import { hasType } from '../../base/json.ts';
import type { TreeNode } from '../../knowledge/view/treeNode.ts';
import type { KnowledgeTestCommand } from '../ids.ts';
import { tellError } from '../ui/tellError.ts';
import { compareSearchSettings } from './compareSearchSettings.ts';
import type { ComparisonReports } from './comparisonReport.ts';
import { newKnowledgeTest } from './newKnowledgeTest.ts';
import { suggestQuestions } from './suggestQuestions.ts';
import type { KnowledgeTestParts } from './testFileItems.ts';

export async function runTestCommand(
  command: KnowledgeTestCommand,
  parts: KnowledgeTestParts,
  reports: ComparisonReports,
  args: readonly unknown[],
): Promise<unknown> {
  const [clicked] = args;
  const dataset = datasetOf(clicked);
  try {
    switch (command) {
      case 'newKnowledgeTest':
        return await newKnowledgeTest(dataset);
      case 'suggestQuestions':
        return await suggestQuestions(parts, args, dataset);
      case 'compareSearchSettings':
        return await compareSearchSettings(parts, reports, args, dataset);
      case 'applySearchSettings':
        return await reports.apply(parts.notifications, args[0], args[1]);
    }
  } catch (error) {
    tellError(parts.notifications, error);
    return undefined;
  }
}

function datasetOf(clicked: unknown): Dataset | undefined {
  return hasType<TreeNode>(clicked, ['base']) && clicked.type === 'base' ? clicked.dataset : undefined;
}
