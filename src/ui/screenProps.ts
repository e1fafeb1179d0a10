import type { Network, Settings } from '../domain/network/network.ts'
import type { OwnAccount } from '../protocol.ts'

/** What every screen of an open wallet knows: who acts, where, and which one of its kind it shows (state/router.ts). */
export type ScreenProps = {
  accounts: OwnAccount[]
  account: OwnAccount
  backedUp: boolean
  network: Network
  settings: Settings
  /** As the address has it: for the screen to read. */
  of: string | undefined
}
