import type { Stores } from '../state/stores.ts'

/** Reports visibility, activity and connectivity to the stores. Returns its stop function. */
export function watchAttention(stores: Stores): () => void {
  const { quote, tokens, account } = stores
  const onVisibility = () => {
    stores.setHidden(document.hidden)
    if (!document.hidden && account.getState().step === 'open') tokens.refresh()
  }
  const onOnline = () => {
    quote.setOnline(true)
    onVisibility()
  }
  const onFocus = () => {
    if (!document.hidden && account.getState().step === 'open') tokens.poll()
  }
  const onTouch = stores.touch
  const touches = ['pointerdown', 'keydown', 'wheel'] as const
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('online', onOnline)
  window.addEventListener('focus', onFocus)
  for (const touch of touches) document.addEventListener(touch, onTouch, { passive: true })
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    window.removeEventListener('online', onOnline)
    window.removeEventListener('focus', onFocus)
    for (const touch of touches) document.removeEventListener(touch, onTouch)
  }
}
