import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A component whose code is fetched when it is first drawn. Until then its place stays empty. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded)
    useEffect(() => {
      if (Component !== undefined) return
      load().then((component) => {
        loaded = component
        setComponent(() => component)
      })
    }, [Component])
    return Component === undefined ? <div class="later" aria-busy="true" /> : <Component {...props} />
  }
}
