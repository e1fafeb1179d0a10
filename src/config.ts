import { etherCurrency, publicNetworks } from './domain/network/chains.ts'
import type { Network, Settings } from './domain/network/network.ts'
import { parseAddress } from './domain/token/token.ts'

/** Firefox reports no lifecycle, and prerenders nothing. */
export const tellsLifecycle = !import.meta.env.FIREFOX

/** Returns the defaults. No RPC is set, except in builds for the localnet (`npm start`). */
export function defaultSettings(): Settings {
  const networks = builtInNetworks()
  return {
    chainId: networks[0]?.chainId ?? 1,
    networks,
    autoLockMinutes: 15,
    contacts: [],
    pageSwaps: true,
    defaultWallet: false,
    strictCalldata: true,
    accessLists: false,
    language: 'auto',
    theme: 'system',
    currency: 'USD',
    showValues: true,
    shortcuts: true,
  }
}

/** Returns networks that cannot be removed; their RPCs can be changed. The first is a fresh wallet's. */
export function builtInNetworks(): Network[] {
  const isLocalBuild = Boolean(import.meta.env.WXT_RPC_URL)
  return isLocalBuild ? [localNetwork(), ...publicNetworks()] : publicNetworks()
}

function localNetwork(): Network {
  const env = import.meta.env
  const [stable, wrapped, router, oracle, v2Factory, v3Factory, quoter, swapRouter] = [
    env.WXT_STABLE,
    env.WXT_WRAPPED,
    env.WXT_ROUTER,
    env.WXT_ORACLE,
    env.WXT_V2_FACTORY,
    env.WXT_V3_FACTORY,
    env.WXT_QUOTER,
    env.WXT_SWAP_ROUTER,
  ].map((text) => parseAddress(text ?? ''))
  const market = {
    ...(oracle && { oracle }),
    ...(v2Factory && { v2Factory }),
    ...(v3Factory && { v3Factory }),
    ...(quoter && { quoter }),
    ...(swapRouter && { swapRouter }),
    ...(env.WXT_CURRENCY_FEEDS && { currencyFeeds: JSON.parse(env.WXT_CURRENCY_FEEDS) }),
  }
  return {
    chainId: 31337,
    name: 'Local',
    coin: etherCurrency,
    serviceUrl: env.WXT_SERVICE_URL ?? 'http://127.0.0.1:8787',
    rpcUrl: env.WXT_RPC_URL ?? 'http://127.0.0.1:8545',
    faucetUrl: env.WXT_FAUCET_URL ?? 'http://127.0.0.1:8788',
    ...(stable && { stable }),
    ...(wrapped && { wrapped }),
    ...(router && { router }),
    ...(Object.keys(market).length > 0 && { market }),
    confirmations: 1,
    quoteEveryMs: 6_000,
  }
}
