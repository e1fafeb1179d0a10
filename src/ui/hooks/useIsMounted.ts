import { useEffect, useRef } from 'preact/hooks'

/** Returns a check whether the component is still mounted. */
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
