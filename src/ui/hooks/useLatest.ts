import { useRef } from 'preact/hooks'

/** Returns the last defined `value`. */
export function useLatest<Value>(value: Value | undefined): Value | undefined {
  const latest = useRef(value)
  if (value !== undefined) latest.current = value
  return latest.current
}
