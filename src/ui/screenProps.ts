import type { Network, Settings } from '../domain/network/network.ts'
import type { OwnAccount } from '../protocol.ts'

export type ScreenProps = {
  accounts: OwnAccount[]
  account: OwnAccount
  backedUp: boolean
  network: Network
  settings: Settings
  /** Route parameter, not yet parsed (state/router.ts). */
  of: string | undefined
}
