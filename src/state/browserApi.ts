import type { RouteHistory } from './router.ts'
import type { Session } from './session.ts'

/** What the browser says and does around the page, which is one view of several. */
export type BrowserApi = {
  /** Of the extension. */
  version: string
  /** The page's own address. */
  bar: RouteHistory
  session: Session
  /** Asks for leave to reach the hosts of some URLs; the browser asks the user only while a click is handled, and once. */
  askHosts(urls: string[]): Promise<boolean>
  /** Whether the hosts of some URLs may be reached already. */
  hasHosts(urls: string[]): Promise<boolean>
  /** Asks for leave to show notifications, while a click is handled, or gives it back. */
  askNotices(isOn: boolean): Promise<boolean>
  /**
   * Opens an address of the popup in a tab of its own; false, and nothing, where this page is one. A toolbar's popup closes at the first
   * click beside it: too soon for who writes twelve words down.
   */
  openTab(hash: string): Promise<boolean>
  /** Where else the wallet can be opened from here. The way into a panel has to be taken while handling a click. */
  openers(): Promise<WindowOpeners>
  /** How many bytes each record of the browser's storage takes, by its key. */
  sizes(): Promise<Record<string, number>>
  /** The patterns of the hosts that the wallet may reach. */
  hosts(): Promise<string[]>
}

/** `hasTab`: this view is no tab yet. */
export type WindowOpeners = { panel?: () => Promise<void>; hasTab: boolean }
