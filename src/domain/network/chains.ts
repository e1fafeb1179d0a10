import type { Address } from '../token/token.ts'
import type { Network } from './network.ts'

/** Facts of a public chain. Addresses in lower case. */
export type PublicChain = {
  chainId: number
  name: string
  coin: { symbol: string; name: string }
  /** Wrapped native token (WETH9). */
  wrapped: Address
  /** Dollar tokens, most traded first. */
  stables: Address[]
  /** Host, opened by the user only. */
  explorer: string
  rpcs: RpcPreset[]
  /** Aave v3 price oracle. */
  oracle?: Address
  uniswap?: UniswapContracts
  /** L1 data fees by the OP stack's oracle. */
  rollup?: 'op'
  /** Blocks on top of a final receipt. */
  confirmations: number
  /** Block time decides how often a quote is renewed. */
  quoteEveryMs: number
}

export type UniswapContracts = {
  v2Factory?: Address
  v3Factory: Address
  /** QuoterV2. */
  quoter?: Address
  /** SwapRouter02. */
  router?: Address
  /** SwapRouter02 trades v2 pairs as well; Base's names no v2 factory. */
  routesV2?: true
}

/** Public endpoint without a key. Contacted only once the user chose it. */
export type RpcPreset = { url: string; operator: string }

export const etherCurrency = { symbol: 'ETH', name: 'Ether' }

const opStackWrapped = '0x4200000000000000000000000000000000000006'

/** Ethereum, Arbitrum, Polygon, Optimism. */
const firstV3 = {
  v3Factory: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
  quoter: '0x61ffe014ba17989e743c5f6cb21bf9697530b21e',
  router: '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
} as const satisfies UniswapContracts

/** PublicNode (https://www.publicnode.com) and dRPC (https://drpc.org) serve all these chains. */
function rpcs(publicNode: string, drpc: string, own?: RpcPreset): RpcPreset[] {
  return [
    ...(own ? [own] : []),
    { url: `https://${publicNode}.publicnode.com`, operator: 'PublicNode' },
    { url: `https://${drpc}.drpc.org`, operator: 'dRPC' },
  ]
}

/**
 * In order of use. Sources: `viem/chains` (ids, native tokens, explorers, operators' endpoints),
 * `@aave-dao/aave-address-book` 4.68 (oracles, wrapped tokens, stables), `@uniswap/sdk-core` 7.19
 * (factories, SwapRouter02), https://github.com/Uniswap/contracts/tree/main/deployments (QuoterV2 and
 * arguments of SwapRouter02), https://docs.unichain.org (Unichain's stables).
 * tests/domain/network/chains.test.ts compares.
 */
export const publicChains: readonly PublicChain[] = [
  {
    chainId: 8453,
    name: 'Base',
    coin: etherCurrency,
    wrapped: opStackWrapped,
    stables: ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca'],
    explorer: 'basescan.org',
    rpcs: rpcs('base-rpc', 'base', { url: 'https://mainnet.base.org', operator: 'Base' }),
    oracle: '0x2cc0fc26ed4563a5ce5e8bdcfe1a2878676ae156',
    uniswap: {
      v2Factory: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
      v3Factory: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
      quoter: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
      router: '0x2626664c2603336e57b271c5c0b26f421741e481',
    },
    rollup: 'op',
    confirmations: 3,
    quoteEveryMs: 6_000,
  },
  {
    chainId: 1,
    name: 'Ethereum',
    coin: etherCurrency,
    wrapped: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    stables: [
      '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
      '0x6b175474e89094c44da98b954eedeac495271d0f',
    ],
    explorer: 'etherscan.io',
    rpcs: rpcs('ethereum-rpc', 'eth', { url: 'https://ethereum.reth.rs/rpc', operator: 'Paradigm' }),
    oracle: '0x54586be62e3c3580375ae3723c145253060ca0c2',
    uniswap: { v2Factory: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', ...firstV3, routesV2: true },
    confirmations: 12,
    quoteEveryMs: 12_000,
  },
  {
    chainId: 42161,
    name: 'Arbitrum',
    coin: etherCurrency,
    wrapped: '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
    stables: [
      '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
      '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
      '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    ],
    explorer: 'arbiscan.io',
    rpcs: rpcs('arbitrum-one-rpc', 'arbitrum', {
      url: 'https://arb1.arbitrum.io/rpc',
      operator: 'Offchain Labs',
    }),
    oracle: '0xb56c2f0b653b2e0b10c9b928c8580ac5df02c7c7',
    uniswap: firstV3,
    confirmations: 3,
    quoteEveryMs: 6_000,
  },
  {
    chainId: 56,
    name: 'BNB Chain',
    coin: { symbol: 'BNB', name: 'BNB' },
    wrapped: '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c',
    stables: ['0x55d398326f99059ff775485246999027b3197955', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'],
    explorer: 'bscscan.com',
    rpcs: rpcs('bsc-rpc', 'bsc', { url: 'https://bsc-dataseed.bnbchain.org', operator: 'BNB Chain' }),
    oracle: '0x39bc1bfda2130d6bb6dbefd366939b4c7aa7c697',
    uniswap: {
      v3Factory: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7',
      quoter: '0x78d78e420da98ad378d7799be8f4af69033eb077',
      router: '0xb971ef87ede563556b2ed4b1c0b0019111dd85d2',
    },
    confirmations: 15,
    quoteEveryMs: 12_000,
  },
  {
    chainId: 137,
    name: 'Polygon',
    coin: { symbol: 'POL', name: 'POL' },
    wrapped: '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270',
    stables: [
      '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
      '0xc2132d05d31c914a87c6611c10748aeb04b58e8f',
      '0x8f3cf7ad23cd3cadbd9735aff958023239c6a063',
    ],
    explorer: 'polygonscan.com',
    rpcs: rpcs('polygon-bor-rpc', 'polygon'),
    oracle: '0xb023e699f5a33916ea823a16485e259257ca8bd1',
    uniswap: firstV3,
    confirmations: 32,
    quoteEveryMs: 12_000,
  },
  {
    chainId: 10,
    name: 'Optimism',
    coin: etherCurrency,
    wrapped: opStackWrapped,
    stables: [
      '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
      '0x94b008aa00579c1307b0ef2c499ad98a8ce58e58',
      '0xda10009cbd5d07dd0cecc66161fc93d7c9000da1',
    ],
    explorer: 'optimistic.etherscan.io',
    rpcs: rpcs('optimism-rpc', 'optimism', { url: 'https://mainnet.optimism.io', operator: 'OP Labs' }),
    oracle: '0xd81eb3728a631871a7ebbad631b5f424909f0c77',
    uniswap: firstV3,
    rollup: 'op',
    confirmations: 3,
    quoteEveryMs: 6_000,
  },
  {
    chainId: 43114,
    name: 'Avalanche',
    coin: { symbol: 'AVAX', name: 'AVAX' },
    wrapped: '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7',
    stables: [
      '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
      '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7',
      '0xd586e7f844cea2f87f50152665bcbc2c279d8d70',
    ],
    explorer: 'snowtrace.io',
    rpcs: rpcs('avalanche-c-chain-rpc', 'avalanche', {
      url: 'https://api.avax.network/ext/bc/C/rpc',
      operator: 'Ava Labs',
    }),
    oracle: '0xebd36016b3ed09d4693ed4251c67bd858c3c7c9c',
    uniswap: {
      v3Factory: '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad',
      quoter: '0xbe0f5544ec67e9b3b2d979aaa43f18fd87e6257f',
      router: '0xbb00ff08d01d300023c629e8ffffcb65a5a578ce',
    },
    confirmations: 3,
    quoteEveryMs: 12_000,
  },
  {
    chainId: 130,
    name: 'Unichain',
    coin: etherCurrency,
    wrapped: opStackWrapped,
    stables: ['0x078d782b760474a361dda0af3839290b0ef57ad6'],
    explorer: 'uniscan.xyz',
    rpcs: rpcs('unichain-rpc', 'unichain', { url: 'https://mainnet.unichain.org', operator: 'Uniswap Labs' }),
    uniswap: {
      v2Factory: '0x1f98400000000000000000000000000000000002',
      v3Factory: '0x1f98400000000000000000000000000000000003',
      quoter: '0x385a5cf5f83e99f7bb2852b6a19c3538b9fa7658',
      router: '0x73855d06de49d0fe4a9c42636ba96c62da12ff9c',
      routesV2: true,
    },
    rollup: 'op',
    confirmations: 3,
    quoteEveryMs: 6_000,
  },
  {
    chainId: 59144,
    name: 'Linea',
    coin: etherCurrency,
    wrapped: '0xe5d7c2a44ffddf6b295a15c148167daaaf5cf34f',
    stables: ['0x176211869ca2b568f2a7d4ee941e073a821ee1ff', '0xa219439258ca9da29e9cc4ce5596924745e12b93'],
    explorer: 'lineascan.build',
    rpcs: rpcs('linea-rpc', 'linea', { url: 'https://rpc.linea.build', operator: 'Linea' }),
    oracle: '0xcfdada7dcd2e785cf706badbc2b8af5084d595e9',
    uniswap: {
      v3Factory: '0x31fafd4889fa1269f7a13a66ee0fb458f27d72a9',
      quoter: '0x42be4d6527829fefa1493e1fb9f3676d2425c3c1',
      router: '0x3d4e44eb1374240ce5f1b871ab261cd16335b76a',
    },
    confirmations: 3,
    quoteEveryMs: 6_000,
  },
  {
    chainId: 100,
    name: 'Gnosis',
    coin: { symbol: 'xDAI', name: 'xDAI' },
    wrapped: '0xe91d153e0b41518a2ce8dd3d7944fa863463a97d',
    stables: ['0x2a22f9c3b484c3629090feed35f17ff8f88f76f0', '0xddafbb505ad214d7b80b1f830fccc89b60fb7a83'],
    explorer: 'gnosisscan.io',
    rpcs: rpcs('gnosis-rpc', 'gnosis', { url: 'https://rpc.gnosischain.com', operator: 'Gnosis' }),
    oracle: '0xeb0a051be10228213baeb449db63719d6742f7c4',
    confirmations: 12,
    quoteEveryMs: 12_000,
  },
]

/** Returns a public chain's facts. */
export function findPublicChain(chainId: number): PublicChain | undefined {
  return publicChains.find((chain) => chain.chainId === chainId)
}

/** Returns the shipped networks. Without URLs, so nothing is contacted before the user names an endpoint. */
export function publicNetworks(): Network[] {
  return publicChains.map(({ chainId, name, coin, confirmations, quoteEveryMs }) =>
    withChainConstants({ chainId, name, coin, serviceUrl: '', rpcUrl: '', confirmations, quoteEveryMs }),
  )
}

/** Adds constants of the chain, which old records lack. */
export function withChainConstants(network: Network): Network {
  const { wrapped, rollup } = findPublicChain(network.chainId) ?? {}
  return { ...(wrapped && { wrapped }), ...(rollup && { rollup }), ...network }
}
