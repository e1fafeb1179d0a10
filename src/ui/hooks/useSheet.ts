import { useLayoutEffect, useState } from 'preact/hooks'

/** The sheet that is open. One that closed because its numbers are gone does not open by itself when they come back. */
export function useSheet<Sheet extends string>(isGone: boolean) {
  const [asked, ask] = useState<Sheet | undefined>()
  useLayoutEffect(() => {
    if (isGone) ask(undefined)
  }, [isGone])
  return [asked, ask] as const
}
