import type { RouteHistory } from '../state/router.ts'
import { tryOrUndefined } from '../state/tryOrUndefined.ts'

/** Connects the router to the URL and `memory`, which may throw. */
export function createHistory(memory: () => Storage): RouteHistory {
  const depth = () => (history.state as { depth?: number } | null)?.depth ?? 0
  return {
    read: () => location.hash,
    push: (hash) => history.pushState({ depth: depth() + 1 }, '', hash),
    replace: (hash) => history.replaceState({ depth: depth() }, '', hash),
    canGoBack: () => depth() > 0,
    back: () => history.back(),
    onMove: (listener) => addEventListener('popstate', listener),
    lastTab: () => tryOrUndefined(() => memory().tab),
    keepTab: (tab) => tryOrUndefined(() => Object.assign(memory(), { tab })),
    lastStep: () => tryOrUndefined(() => memory().step),
    keepStep: (hash) =>
      tryOrUndefined(() => {
        if (hash === undefined) memory().removeItem('step')
        else Object.assign(memory(), { step: hash })
      }),
  }
}
