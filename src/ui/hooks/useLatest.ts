import { useRef } from 'preact/hooks'

/** What `value` was when it was last known: stays on the screen until there is another. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value)
  if (value !== undefined) latest.current = value
  return latest.current
}
