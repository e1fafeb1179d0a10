import * as wagmi from '@wagmi/core'
import { BrowserProvider } from 'ethers'
import {
  createClient,
  createPublicClient,
  createWalletClient,
  custom,
  publicActions,
  walletActions,
} from 'viem'
import { Actions } from 'viem/tempo'
import { findWallets, type Wallet } from '../../../demo/wallets.ts'

// A site built on common client libraries. Tests drive it through `window.site`.

const rpcUrl = new URL(location.href).searchParams.get('rpc') ?? ''

const chain = {
  id: 31337,
  name: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [rpcUrl] } },
} as const

/** Returns our wallet from its EIP-6963 announcement. */
function findSluice(): Promise<Wallet> {
  return new Promise((resolve) => findWallets((wallet) => wallet.info.name === 'Sluice' && resolve(wallet)))
}

async function start() {
  const { provider, info } = await findSluice()
  const events: { event: string; data: unknown }[] = []
  for (const event of ['accountsChanged', 'chainChanged', 'connect', 'disconnect', 'message'] as const) {
    provider.on(event, (data: unknown) => events.push({ event, data }))
  }
  const transport = custom(provider)
  return {
    info,
    provider,
    /** Provider events, in order. */
    events,
    viem: createClient({ chain, transport }).extend(publicActions).extend(walletActions),
    createPublicClient: () => createPublicClient({ chain, transport }),
    createWalletClient: () => createWalletClient({ chain, transport }),
    swapWithViem: (ask: Actions.wallet.swap.Parameters) =>
      Actions.wallet.swap(createClient({ transport }), ask),
    wagmi,
    wagmiConfig: wagmi.createConfig({
      chains: [chain],
      transports: { [chain.id]: wagmi.http(rpcUrl) },
      storage: null,
    }),
    ethers: new BrowserProvider(provider as never),
  }
}

export type TestSite = Awaited<ReturnType<typeof start>>

declare global {
  interface Window {
    /** Resolves once the wallet has announced itself. */
    site: Promise<TestSite>
  }
}

window.site = start()
