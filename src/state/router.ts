import { createStore } from 'zustand/vanilla'

export const tabs = ['overview', 'swap', 'activity'] as const
export type Tab = (typeof tabs)[number]

/** Opened over a tab. */
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
  // Wallet setup; `of` selects its kind.
  'begin',
] as const

export type RouteName = Tab | (typeof pages)[number]

/** `of`: the page's parameter, such as an address or chain id. */
export type PopupRoute = { at: RouteName; of?: string }

/** The URL's hash history; the last tab and step are shared by all views. */
export type RouteHistory = {
  /** Hash with `#`, or empty. */
  read(): string
  push(hash: string): void
  replace(hash: string): void
  canGoBack(): boolean
  back(): void
  onMove(listener: () => void): void
  lastTab(): string | undefined
  keepTab(tab: Tab): void
  /** Unfinished wallet setup. */
  lastStep(): string | undefined
  keepStep(hash: string | undefined): void
}

/** Creates the router. Routes must hold no secrets: browsers store URLs. */
export function createRouter(bar: RouteHistory) {
  const left = bar.read() === '' ? readStep(bar.lastStep()) : undefined
  // Continue a setup left in another view.
  if (left !== undefined) bar.replace(routeHref(left))
  const start: PopupRoute = left ?? parseRoute(bar.read()) ?? { at: toTab(bar.lastTab()) }
  const store = createStore<PopupRoute>()(() => start)
  const move = (place: PopupRoute) => {
    store.setState(place, true)
    if (isTab(place.at)) bar.keepTab(place.at)
    keepStep(place)
  }
  /** Only tabs end wallet setup. Another network is given up by leaving its pages. */
  function keepStep(place: PopupRoute): void {
    if (isStep(place)) bar.keepStep(routeHref(place))
    else if (isTab(place.at) || isAdding(readStep(bar.lastStep()))) bar.keepStep(undefined)
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

    /** Adds no history entry. */
    replace(at: RouteName, of?: string): void {
      const place = of === undefined ? { at } : { at, of }
      bar.replace(routeHref(place))
      move(place)
    },

    back(): void {
      if (bar.canGoBack()) {
        bar.back()
        return
      }
      const place: PopupRoute = { at: toTab(bar.lastTab()) }
      bar.replace(routeHref(place))
      move(place)
    },
  }
}

export function routeHref({ at, of }: PopupRoute): string {
  return of === undefined ? `#/${at}` : `#/${at}/${encodeURIComponent(of)}`
}

/** Undefined for an unknown page. */
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

/** Parameter of the phrase page during setup. */
export const freshPhrase = 'fresh'

/** Parameter of the page `begin` in a wallet that has a network already. */
export const addNetworkWay = 'add'

function isAdding(place: PopupRoute | undefined): boolean {
  return place?.at === 'begin' && place.of?.split('-')[0] === addNetworkWay
}

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

function toTab(name: string | undefined): Tab {
  return tabs.find((tab) => tab === name) ?? 'overview'
}
