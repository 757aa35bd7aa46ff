import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ToHost } from '../shared/protocol.ts';
import type { DraftPoster } from './draftPoster.ts';
import type { PageState } from './state.ts';
import type { ViewState } from './viewState.ts';

/** What every component of the page is given. */
export interface Panel {
  readonly state: PageState;
  readonly drafts: Pick<DraftPoster, 'changed'>;
  readonly views: ViewState;
  post(message: ToHost): void;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('The component is outside of the panel.');
  return panel;
}
