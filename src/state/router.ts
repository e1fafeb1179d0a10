import { createStore } from 'zustand/vanilla'

/** Always a tap away. */
export const tabs = ['overview', 'swap', 'activity'] as const
export type Tab = (typeof tabs)[number]

/** What opens over a tab, and goes back to it. */
const pages = [
  'settings',
  'networks',
  'network',
  'sites',
  'allowances',
  'send',
  'receive',
  'token',
  'contacts',
  'entry',
  'accounts',
  'account',
  'add',
  'remove',
  'phrase',
  'key',
  'password',
  'reset',
  // Where a wallet is made or brought; `of` says how. Once it is there, it goes on with whom it may ask.
  'begin',
] as const

export type RouteName = Tab | (typeof pages)[number]

/** `of` says which one, as the address has it: a token's address, an account's, a chain id. Whoever shows the place reads it. */
export type PopupRoute = { at: RouteName; of?: string }

/** Where the place is written: the page's own address, so that a reload, another view and the browser's way back find it. */
export type RouteHistory = {
  /** What stands behind `#`, with it; empty when nothing does. */
  read(): string
  push(hash: string): void
  replace(hash: string): void
  /** True when this page was somewhere else before. */
  canGoBack(): boolean
  back(): void
  onMove(listener: () => void): void
  /** The tab that was open last, in any view. */
  lastTab(): string | undefined
  keepTab(tab: Tab): void
  /** The hash of the step at which the wallet's making was left, in any view. */
  lastStep(): string | undefined
  /** Forgets it when undefined. */
  keepStep(hash: string | undefined): void
}

/** Where the user is. Nothing secret is ever part of it: addresses of pages are kept by browsers. */
export function createRouter(bar: RouteHistory) {
  const left = bar.read() === '' ? readStep(bar.lastStep()) : undefined
  // A view that goes on where another one was closed: the way back leads on from there.
  if (left !== undefined) bar.replace(routeHref(left))
  // An address that names none stands for where the user began.
  const start: PopupRoute = left ?? parseRoute(bar.read()) ?? { at: tabOf(bar.lastTab()) }
  const store = createStore<PopupRoute>()(() => start)
  const move = (place: PopupRoute) => {
    store.setState(place, true)
    if (isTab(place.at)) bar.keepTab(place.at)
    keepStep(place)
  }
  /** The tabs are where the making of a wallet ends, or is given up. Other pages may be looked at meanwhile. */
  function keepStep(place: PopupRoute): void {
    if (isStep(place)) bar.keepStep(routeHref(place))
    else if (isTab(place.at)) bar.keepStep(undefined)
  }
  if (isStep(start)) keepStep(start)
  bar.onMove(() => move(parseRoute(bar.read()) ?? start))
  return {
    ...store,

    go(at: RouteName, of?: string): void {
      const place = of === undefined ? { at } : { at, of }
      bar.push(routeHref(place))
      move(place)
    },

    /** The same, for a place that is over: the way back does not lead there again. */
    replace(at: RouteName, of?: string): void {
      const place = of === undefined ? { at } : { at, of }
      bar.replace(routeHref(place))
      move(place)
    },

    /** To where the user came from. */
    back(): void {
      if (bar.canGoBack()) {
        bar.back()
        return
      }
      const place: PopupRoute = { at: tabOf(bar.lastTab()) }
      bar.replace(routeHref(place))
      move(place)
    },
  }
}

export function routeHref({ at, of }: PopupRoute): string {
  return of === undefined ? `#/${at}` : `#/${at}/${encodeURIComponent(of)}`
}

/** The place that a page's address names; undefined when there is none like it. */
export function parseRoute(hash: string): PopupRoute | undefined {
  const [, name, of] = /^#\/([a-z]+)(?:\/([^/]+))?$/.exec(hash) ?? []
  const at = [...tabs, ...pages].find((one) => one === name)
  if (at === undefined) return undefined
  if (of === undefined) return { at }
  try {
    return { at, of: decodeURIComponent(of) }
  } catch {
    return { at: 'overview' }
  }
}

/** Which phrase the page of phrases shows while a wallet is made: after it, what was begun goes on. */
export const freshPhrase = 'fresh'

/** True for a place on the way to a new wallet. */
function isStep({ at, of }: PopupRoute): boolean {
  return at === 'begin' || (at === 'phrase' && of === freshPhrase)
}

function readStep(hash: string | undefined): PopupRoute | undefined {
  const place = hash === undefined ? undefined : parseRoute(hash)
  return place !== undefined && isStep(place) ? place : undefined
}

export function isTab(name: RouteName): name is Tab {
  return tabs.some((tab) => tab === name)
}

function tabOf(name: string | undefined): Tab {
  return tabs.find((tab) => tab === name) ?? 'overview'
}
