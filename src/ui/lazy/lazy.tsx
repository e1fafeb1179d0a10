import type { ComponentType } from 'preact'
import { RetryScreen } from '../components/alerts/RetryScreen.tsx'
import { useQuery } from '../hooks/data/useQuery.ts'

/** Component loaded on first render. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  /** Also used to prefetch. */
  async function fetch(): Promise<ComponentType<Props>> {
    loaded ??= await load()
    return loaded
  }
  return Object.assign(Later, { fetch })

  function Later(props: Props) {
    const { error } = useQuery(() => (loaded ? undefined : fetch()), [])
    const Component = loaded
    // Browsers cache failed module loads.
    if (error) return <RetryScreen error={error} onRetry={async () => location.reload()} />
    return Component === undefined ? <div class="later" aria-busy="true" /> : <Component {...props} />
  }
}
