import type { RouteHistory } from './router.ts'
import type { Session } from './session.ts'

export type BrowserApi = {
  /** Extension version. */
  version: string
  bar: RouteHistory
  session: Session
  /** Requests host permissions; only inside a click handler, and once. */
  askHosts(urls: string[]): Promise<boolean>
  hasHosts(urls: string[]): Promise<boolean>
  /** Requests the permission inside a click handler, or removes it. */
  askNotices(isOn: boolean): Promise<boolean>
  /**
   * Opens a popup page in a tab, since a toolbar popup closes at any click outside. Returns false when
   * already in one.
   */
  openTab(hash: string): Promise<boolean>
  /** The panel must be opened inside a click handler. */
  openers(): Promise<WindowOpeners>
  /** True if the toolbar icon opens the side panel; undefined where the browser has no such choice. */
  opensPanelFirst(): Promise<boolean | undefined>
  /** The browser remembers the choice. */
  setOpensPanelFirst(isOn: boolean): Promise<void>
  /** Bytes per storage key. */
  sizes(): Promise<Record<string, number>>
  /** Permitted host patterns. */
  hosts(): Promise<string[]>
}

/** `hasTab`: this view can move to a tab. */
export type WindowOpeners = { panel?: () => Promise<void>; hasTab: boolean }
