import * as l10n from '@vscode/l10n';
import { renderToString } from 'preact-render-to-string';
import { App } from './app.tsx';
import { PanelContext, type Panel } from './state/panel.ts';
import { createState } from './state/pageState.ts';
import { SavedViews } from './state/savedViews.ts';

/** Built for each language and shown until the script has loaded. `texts`: translations by English text. */
export function renderShell(texts: Record<string, string>): string {
  l10n.config({ contents: texts });
  const state = createState({ hasBox: true });
  const panel: Panel = {
    state,
    box: state,
    drafts: { changed: () => undefined },
    views: new SavedViews({ getState: () => undefined, setState: () => undefined }),
    post: () => undefined,
  };
  return renderToString(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
  );
}
