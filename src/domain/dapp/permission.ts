import type { Address } from '../token/token.ts'

/** A site the user let in: what its pages see of the wallet. */
export type Site = {
  /** As the browser reports it: scheme, host and port. */
  origin: string
  /** The accounts it may see and ask for, the one it meets first in front. None until the user chose. */
  accounts: Address[]
  /** The chain its pages are on. The swap form's network is another matter. */
  chainId: number
  /** Milliseconds since 1970. */
  connectedAt: number
}
