import type { ComponentType } from 'preact'
import { Retry } from './components/RetryScreen.tsx'
import { useQuery } from './hooks/useQuery.ts'

/** A component whose code is fetched when it is first drawn. Until then its place stays empty; where it does not come, it says so. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  /** May be called before, by whoever knows that it will be drawn soon. */
  async function fetch(): Promise<ComponentType<Props>> {
    loaded ??= await load()
    return loaded
  }
  return Object.assign(Later, { fetch })

  function Later(props: Props) {
    const { error } = useQuery(() => (loaded ? undefined : fetch()), [])
    const Component = loaded
    // The browser remembers that a module did not load: only the whole page asks for it again.
    if (error) return <Retry error={error} onRetry={async () => location.reload()} />
    return Component === undefined ? <div class="later" aria-busy="true" /> : <Component {...props} />
  }
}
