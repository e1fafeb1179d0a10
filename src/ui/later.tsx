import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { toWalletError, type WalletError } from '../errors.ts'
import { Retry } from './parts/Retry.tsx'

/** A component whose code is fetched when it is first drawn. Until then its place stays empty; where it does not come, it says so. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | undefined>(() => loaded)
    const [error, setError] = useState<WalletError | undefined>()
    useEffect(() => {
      if (Component !== undefined) return
      load().then(
        (component) => {
          loaded = component
          setComponent(() => component)
        },
        (cause: unknown) => setError(toWalletError(cause)),
      )
    }, [Component])
    // The browser remembers that a module did not load: only the whole page asks for it again.
    if (error) return <Retry error={error} onRetry={async () => location.reload()} />
    return Component === undefined ? <div class="later" aria-busy="true" /> : <Component {...props} />
  }
}
