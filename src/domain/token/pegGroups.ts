import type { Network } from '../network/network.ts'
import { type Address, nativeTokenAddress } from './token.ts'

/** Returns the wallet's own tags, in the format of service lists, which not every service has. */
export function pegTags(address: Address, network: Facts | undefined): string[] {
  if (network === undefined) return []
  const { chainId, wrapped, stable } = network
  if (address === wrapped) return ['wrapped']
  if (address === stable) return ['PEG:USD']
  return pegs.filter(({ tokens }) => tokens[chainId]?.includes(address)).map(({ peg }) => peg)
}

/** Returns native, wrapped and popular tokens by built-in addresses. */
export function popularTokens({ chainId, wrapped, stable }: Facts): Set<Address> {
  const known = [nativeTokenAddress, wrapped, stable, ...pegs.flatMap(({ tokens }) => tokens[chainId] ?? [])]
  return new Set(known.filter((address) => address !== undefined))
}

/** Returns the network's `stable`, otherwise the most traded stablecoin. */
export function mainStablecoin({ chainId, stable }: Facts): Address | undefined {
  return stable ?? dollars[chainId]?.[0]
}

/** Returns stablecoins, most traded first. */
export function stablesOn({ chainId, stable }: Facts): Address[] {
  return [...new Set([...(stable ? [stable] : []), ...(dollars[chainId] ?? [])])]
}

type Facts = Pick<Network, 'chainId' | 'wrapped' | 'stable'>

type Pegged = { peg: string; tokens: { [chainId: number]: Address[] } }

/** Most traded first. Gnosis has the bridged USDC. */
const dollars: Pegged['tokens'] = {
  1: [
    '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
    '0x6b175474e89094c44da98b954eedeac495271d0f',
  ],
  10: [
    '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
    '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
  ],
  56: ['0x55d398326f99059ff775485246999027b3197955', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'],
  100: ['0x2a22f9c3b484c3629090feed35f17ff8f88f76f0'],
  130: ['0x078d782b760474a361dda0af3839290b0ef57ad6'],
  137: ['0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'],
  8453: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  42161: ['0xaf88d065e77c8cc2239327c5edb3a432268e5831', '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'],
  43114: ['0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'],
  59144: ['0x176211869ca2b568f2a7d4ee941e073a821ee1ff'],
}

const pegs: Pegged[] = [
  { peg: 'PEG:USD', tokens: dollars },
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
