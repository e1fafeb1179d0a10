import type { CountedAs } from './clients.ts'

export type Connection = {
  remoteAddress?: string | undefined
  isClosing?: boolean
}

export type Env = {
  Bindings: Connection
  Variables: {
    requestId: string
    /** Name of its key. */
    holder?: string
    networks: CountedAs
    /** Its key, or else its networks. */
    asker: CountedAs
    /** Aborts on timeout or disconnect. */
    signal: AbortSignal
    code?: string
    /** For the log only. */
    fault?: string
  }
}
