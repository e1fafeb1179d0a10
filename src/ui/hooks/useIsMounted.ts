import { useEffect, useRef } from 'preact/hooks'

/** Asks whether the component is still on the screen: what somebody left before it began is not to be done any more. */
export function useIsMounted(): () => boolean {
  const isHere = useRef(true)
  useEffect(
    () => () => {
      isHere.current = false
    },
    [],
  )
  return () => isHere.current
}
