import type { CountedAs } from './clients.ts'

/** What is known of the socket that a request came through. */
export type Connection = {
  remoteAddress?: string | undefined
  /** The service is being stopped: what has not begun is refused. */
  isClosing?: boolean
}

/** What a request carries through the handler. */
export type Env = {
  Bindings: Connection
  Variables: {
    requestId: string
    /** Whose key it came with; absent where none is needed. */
    holder?: string
    /** The networks that it comes from. */
    networks: CountedAs
    /** By whom it is counted: the holder of its key, or else its networks. */
    asker: CountedAs
    /** Says when nobody waits for the answer any more. */
    signal: AbortSignal
    /** The code of the error that it ended in. */
    code?: string
    /** What failed inside, for the log alone. */
    fault?: string
  }
}
