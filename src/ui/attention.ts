import type { Stores } from '../state/stores.ts'

/** Tells the stores whether somebody looks and is active. Answers the way to stop. */
export function watchAttention({ quote, tokens, account }: Stores): () => void {
  const onVisibility = () => {
    quote.setHidden(document.hidden)
    if (document.hidden) tokens.stop()
    else if (account.getState().step === 'open') tokens.refresh()
  }
  const touches = ['pointerdown', 'keydown', 'wheel'] as const
  document.addEventListener('visibilitychange', onVisibility)
  for (const touch of touches) document.addEventListener(touch, quote.touch, { passive: true })
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    for (const touch of touches) document.removeEventListener(touch, quote.touch)
  }
}
