import { useEffect, useState } from 'preact/hooks'

/** Two columns fit from 900 pixels on; as in style/lazy/wide.css. */
export function useIsWide(from = 900): boolean {
  const query = `(min-width: ${from}px)`
  const [isWide, setWide] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = () => setWide(media.matches)
    listen()
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [query])
  return isWide
}
