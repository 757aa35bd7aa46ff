import * as l10n from '@vscode/l10n';
import { renderToString } from 'preact-render-to-string';
import { App } from './app.tsx';
import { PanelContext, type Panel } from './panel.ts';
import { createState } from './state.ts';
import { ViewState } from './viewState.ts';

/**
 * What the page shows until its script goes on from there: the message box, which takes keys already. The build writes it
 * down in each language.
 * @param texts of the language, by the English ones
 */
export function renderShell(texts: Record<string, string>): string {
  l10n.config({ contents: texts });
  const panel: Panel = {
    state: createState({ hasBox: true }),
    drafts: { changed: () => undefined },
    views: new ViewState({ getState: () => undefined, setState: () => undefined }),
    post: () => undefined,
  };
  return renderToString(
    <PanelContext.Provider value={panel}>
      <App />
    </PanelContext.Provider>,
  );
}
