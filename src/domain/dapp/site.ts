import type { Address } from '../token/token.ts'

export type Site = {
  /** Scheme, host and port as the browser reports them. */
  origin: string
  /** The default first; empty until the user chose. */
  accounts: Address[]
  chainId: number
  /** Milliseconds since 1970. */
  connectedAt: number
}
