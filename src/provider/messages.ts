import type { Address, Hex } from '../domain/token/token.ts'
import type { ProviderMessage } from '../protocol.ts'

/** Chain id as in EIP-695. */
export type PageView = { accounts: Address[]; chainId: Hex }

/** JSON from relay to provider. */
export type RelayMessage =
  | ProviderMessage
  | { defaultWallet: true }
  /** After missed events. */
  | { view: PageView }
  /** Reply to an empty text. */
  | { here: true }
  /** The extension was updated or removed. */
  | { ended: true }
