import { createContext } from 'preact'

/** Part of the wide frame that a screen is drawn in; undefined in popup and side panel. */
export const WideContext = createContext<'main' | 'side' | undefined>(undefined)
