import { useEffect, useState } from 'preact/hooks'

/** Two columns fit from here on; as in style/lazy/wide.css. */
const query = '(min-width: 900px)'

export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = () => setWide(media.matches)
    listen()
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  return isWide
}
