import { findPublicChain } from '../network/chains.ts'
import type { Network } from '../network/network.ts'
import { type Address, nativeTokenAddress } from './token.ts'

/** Returns the wallet's own tags, in the format of service lists, which not every service has. */
export function pegTags(address: Address, network: Facts | undefined): string[] {
  if (network === undefined) return []
  const { chainId, wrapped, stable } = network
  if (address === wrapped) return ['wrapped']
  if (address === stable || dollars(chainId).includes(address)) return ['PEG:USD']
  return pegs.filter(({ tokens }) => tokens[chainId]?.includes(address)).map(({ peg }) => peg)
}

/** Returns native, wrapped and popular tokens by built-in addresses. */
export function popularTokens({ chainId, wrapped, stable }: Facts): Set<Address> {
  const pegged = pegs.flatMap(({ tokens }) => tokens[chainId] ?? [])
  const known = [nativeTokenAddress, wrapped, stable, ...dollars(chainId), ...pegged]
  return new Set(known.filter((address) => address !== undefined))
}

/** Returns the network's `stable`, otherwise the most traded stablecoin. */
export function mainStablecoin({ chainId, stable }: Facts): Address | undefined {
  return stable ?? dollars(chainId)[0]
}

/** Returns stablecoins, most traded first. */
export function stablesOn({ chainId, stable }: Facts): Address[] {
  return [...new Set([...(stable ? [stable] : []), ...dollars(chainId)])]
}

function dollars(chainId: number): Address[] {
  return findPublicChain(chainId)?.stables ?? []
}

type Facts = Pick<Network, 'chainId' | 'wrapped' | 'stable'>

type Pegged = { peg: string; tokens: { [chainId: number]: Address[] } }

const pegs: Pegged[] = [
  {
    // WBTC, BTCB, cbBTC
    peg: 'PEG:BTC',
    tokens: {
      1: ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599'],
      10: ['0x68f180fcce6836688e9084f035309e29bf0a2095'],
      56: ['0x7130d2a12b9bcbfae4f2634d864a1ee1ce3ead9c'],
      137: ['0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6'],
      8453: ['0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'],
      42161: ['0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f'],
    },
  },
  {
    // Ether where it is not the native token
    peg: 'PEG:ETH',
    tokens: {
      56: ['0x2170ed0880ac9a755fd29b2688956bd959f933f8'],
      137: ['0x7ceb23fd6bc0add59e62ac25578270cff1b9f619'],
    },
  },
]
