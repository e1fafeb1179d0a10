import type { EIP1193Provider } from 'viem'

/** Wallet announced by EIP-6963. */
export type Wallet = {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: EIP1193Provider
}

/** Calls `onFound` for present and later wallets. */
export function findWallets(onFound: (wallet: Wallet) => void): void {
  const known = new Set<string>()
  addEventListener('eip6963:announceProvider', (event) => {
    const wallet = (event as CustomEvent<Wallet>).detail
    if (known.has(wallet.info.uuid)) return
    known.add(wallet.info.uuid)
    onFound(wallet)
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
}
