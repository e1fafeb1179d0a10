import { useEffect, useState } from 'preact/hooks'

/** Window left, form submitted, or button held (HoldButton.tsx). */
const covering = ['blur', 'submit', 'held']

/** Covers a secret on blur, submit or a hidden page, until uncovered. */
export function useHideOnBlur(
  isAtFirst = !document.hasFocus(),
): [isCovered: boolean, setCovered: (isCovered: boolean) => void] {
  const [isCovered, setCovered] = useState(isAtFirst)
  useEffect(() => {
    const cover = () => setCovered(true)
    for (const event of covering) window.addEventListener(event, cover)
    const forget = onPageHidden(cover)
    return () => {
      for (const event of covering) window.removeEventListener(event, cover)
      forget()
    }
  }, [])
  return [isCovered, setCovered]
}

/** Calls `work` when the page is hidden or left. Returns its stop function. */
export function onPageHidden(work: () => void, view: View = window): () => void {
  const look = () => {
    if (view.document.visibilityState === 'hidden') work()
  }
  view.document.addEventListener('visibilitychange', look)
  view.addEventListener('pagehide', work)
  return () => {
    view.document.removeEventListener('visibilitychange', look)
    view.removeEventListener('pagehide', work)
  }
}

/** Drops the result if the page was hidden meanwhile: a secret must not appear to the next viewer. */
export async function onlyWhileVisible<Secret>(
  work: () => Promise<Secret>,
  view: View = window,
): Promise<Secret | undefined> {
  let wasHidden = view.document.visibilityState === 'hidden'
  const forget = onPageHidden(() => {
    wasHidden = true
  }, view)
  try {
    const secret = await work()
    return wasHidden ? undefined : secret
  } finally {
    forget()
  }
}

type View = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}
