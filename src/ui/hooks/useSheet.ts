import { useLayoutEffect, useState } from 'preact/hooks'

/** Returns the open sheet. One closed by `isGone` does not reopen by itself. */
export function useSheet<Sheet extends string>(isGone: boolean) {
  const [asked, ask] = useState<Sheet | undefined>()
  useLayoutEffect(() => {
    if (isGone) ask(undefined)
  }, [isGone])
  return [asked, ask] as const
}
