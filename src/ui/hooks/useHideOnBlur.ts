import { useEffect, useState } from 'preact/hooks'

/** The window is left, or what was typed into a form of it is sent, by a press or by a hold (Hold.tsx). */
const covering = ['blur', 'submit', 'held']

/** Whether a secret on the screen is covered: from when the window loses the focus, or a form is sent, until somebody uncovers it. */
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

/** Calls when nobody can see the page any more: another tab is in front, the window is minimized, the page is left. Answers what ends it. */
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

/** What comes of `work`, or nothing when the page was hidden meanwhile, or is: a secret that was asked for is not shown to whoever comes next. */
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
