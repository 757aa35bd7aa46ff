import { megabyte } from '../../../base/text/format.ts';
import type { SyncLimits } from '../../../knowledge/autoSync/syncTerms.ts';
import { readKnowledgeOptions, type Settings } from '../../settings.ts';

/** The limits of folders in step, as they are set now. */
export function readSyncLimits(settings: Settings): SyncLimits {
  const { maxFiles = 100, maxMegabytes = 20 } = settings.get('knowledge.autoSync');
  const { maxFileSizeBytes, exclude } = readKnowledgeOptions(settings);
  return { maxFiles, maxBytes: maxMegabytes * megabyte, maxFileSizeBytes, exclude: [...exclude] };
}
