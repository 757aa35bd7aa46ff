import type { AppService } from '../../apps/appService.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { offerPinnedApps } from '../apps/pinnedActions.ts';
import { refreshApps } from '../apps/refreshApps.ts';
import type { AppsTree } from '../apps/registerApps.ts';
import { refreshHistory } from '../history/refreshHistory.ts';
import type { ConversationsTree } from '../history/registerHistory.ts';
import { closeStaleTabs } from '../ui/tabs.ts';
import { leadSetup, type SetupDependencies } from './leadSetup.ts';

type SideBarDependencies = Parameters<typeof refreshHistory>[0] & SetupDependencies & { apps: AppService };

export function showSideBar(
  deps: SideBarDependencies,
  { appsTree, historyTree }: { appsTree: AppsTree; historyTree: ConversationsTree },
): Disposable {
  const parts = new DisposableStore();
  parts.add(refreshApps(deps.apps, appsTree));
  parts.add(refreshHistory(deps, historyTree));
  historyTree.refresh();
  closeStaleTabs();
  parts.add(offerPinnedApps(deps.apps));
  parts.add(leadSetup(deps));
  return parts;
}
