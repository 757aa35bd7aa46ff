import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { inline } from '../base/text/oneLine.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';

export interface TestedKnowledge {
  readonly client: PlatformClient;
  readonly knowledge: Pick<Knowledge, 'bases' | 'search' | 'originOf' | 'searchSettings'>;
  readonly log: Log;
}

/** Finds the knowledge bases of a test file by name or id. Throws a `SwitchboardError`. */
export function findBases(names: readonly string[], datasets: readonly Dataset[]): Dataset[] {
  const found = names.map((name) => {
    const byId = datasets.filter(({ id }) => id.toLowerCase() === name.toLowerCase());
    const matching = byId.length > 0 ? byId : datasets.filter((dataset) => dataset.name.trim() === name);
    const [dataset, other] = matching;
    const shown = inline(name, 60);
    if (!dataset) {
      throw new SwitchboardError('settings', l10n.t('The platform has no knowledge base "{0}".', shown));
    }
    if (other) {
      throw new SwitchboardError(
        'settings',
        l10n.t('Several knowledge bases are named "{0}". Write the ID of one.', shown),
      );
    }
    if (dataset.problem) throw new SwitchboardError('request', dataset.problem);
    if (dataset.isUnsearchable) {
      throw new SwitchboardError(
        'request',
        l10n.t('The platform\'s API doesn\'t search the external knowledge base "{0}".', shown),
      );
    }
    return dataset;
  });
  return [...new Map(found.map((dataset) => [dataset.id, dataset])).values()];
}
