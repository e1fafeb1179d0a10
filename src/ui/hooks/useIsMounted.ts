import { useEffect, useRef } from 'preact/hooks'

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
