import type { Address, Hex } from '../domain/token/token.ts'
import type { ProviderMessage } from '../protocol.ts'

/** What a page sees of the wallet. The chain's id as EIP-695 writes it. */
export type PageView = { accounts: Address[]; chainId: Hex }

/** What the relay says to the provider, as JSON text: the worker's words, and its own. */
export type RelayMessage =
  | ProviderMessage
  /** The user wants the wallet to be found as `window.ethereum`. */
  | { defaultWallet: true }
  /** How things stand, after a time in which events were not heard. */
  | { view: PageView }
  /** What an empty text is answered with: the relay is there. */
  | { here: true }
  /** The extension was updated or removed: nobody answers any more. */
  | { ended: true }
