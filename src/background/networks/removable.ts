import { builtInNetworks } from '../../config.ts'
import { WalletError } from '../../errors.ts'

/** Throws `network-needed` if a removed chain is selected, built in or `busy`. */
export function requireRemovable(removed: number[], chosen: number, busy: number[]): void {
  for (const chainId of removed) {
    const why =
      (chainId === chosen && 'chosen') ||
      (busy.includes(chainId) && 'busy') ||
      (builtInNetworks().some((network) => network.chainId === chainId) && 'built-in')
    if (why) throw new WalletError('network-needed', 'The network has to stay.', { why })
  }
}
