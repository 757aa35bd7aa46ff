import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { ToHost } from '../../shared/protocol.ts';
import type { DraftPoster } from '../composer/draftPoster.ts';
import type { Box, PageState } from './pageState.ts';
import type { SavedViews } from './savedViews.ts';

export interface Panel {
  readonly state: PageState;
  /** The box that the component is in: `state` for the message box, or a message being edited. */
  readonly box: Box;
  readonly drafts: Pick<DraftPoster, 'changed'>;
  readonly views: SavedViews;
  post(message: ToHost): void;
}

/** Changes an element's height with the text under the pointer staying where it is. */
export const StayAtContext = createContext<(place: () => void) => void>(() => undefined);

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('The component is outside of the panel.');
  return panel;
}

/** Fold state of an element, kept across reloads. The key is unique within the conversation. */
export function useUnfolded(key: string, initially = false): [open: boolean, set: (open: boolean) => void] {
  const { views } = usePanel();
  const [open, setOpen] = useState(() => views.isOpen(key) ?? initially);
  return [
    open,
    (now) => {
      setOpen(now);
      if (now !== open) views.setOpen(key, now);
    },
  ];
}
