import { concatHex, keccak256 } from 'viem'
import type { Address, Hex } from '../token/token.ts'
import { toWords } from '../words.ts'
import type { Network } from './network.ts'

export type PriceContracts = { oracle?: Address | undefined; makers: PoolMaker[] }

/** CREATE2 deployer of pools with their code hash. `fees` in millionths, only for v3. */
export type PoolMaker = { kind: 'v2' | 'v3'; deployer: Address; codeHash: Hex; fees: number[] }

/**
 * Returns the built-in contracts of a public chain, so that no record or backup names another oracle; for
 * others (localnet) the network's.
 */
export function getPriceContracts({ chainId, market }: Pick<Network, 'chainId' | 'market'>): PriceContracts {
  const { oracle, v2Factory, v3Factory } = market ?? {}
  return (
    table[chainId] ?? {
      oracle,
      makers: [...(v3Factory ? [uniswapV3(v3Factory)] : []), ...(v2Factory ? [uniswapV2(v2Factory)] : [])],
    }
  )
}

/** Returns the pools' CREATE2 addresses. */
export function poolAddresses(
  { kind, deployer, codeHash, fees }: PoolMaker,
  one: Address,
  other: Address,
): Address[] {
  const [first, second] = one < other ? [one, other] : [other, one]
  const salts =
    kind === 'v2' ? [concatHex([first, second])] : fees.map((fee) => toWords([first, second, fee]))
  return salts.map((salt) => {
    const hash = keccak256(concatHex(['0xff', deployer, keccak256(salt), codeHash]))
    return `0x${hash.slice(26)}` as Address
  })
}

/** Returns the Uniswap V2 pair on a public chain; undefined if its factory is unknown. */
export function getUniswapPair(chainId: number, one: Address, other: Address): Address | undefined {
  const maker = table[chainId]?.makers.find(
    ({ kind, codeHash }) => kind === 'v2' && codeHash === uniswapPairCode,
  )
  return maker && poolAddresses(maker, one, other)[0]
}

const uniswapPairCode: Hex = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f'

function uniswapV2(deployer: Address): PoolMaker {
  return {
    kind: 'v2',
    deployer,
    codeHash: uniswapPairCode,
    fees: [],
  }
}

function uniswapV3(deployer: Address): PoolMaker {
  return {
    kind: 'v3',
    deployer,
    codeHash: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
    fees: [100, 500, 3_000, 10_000],
  }
}

const pancakeV2: PoolMaker = {
  kind: 'v2',
  deployer: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
  codeHash: '0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5',
  fees: [],
}

const pancakeV3: PoolMaker = {
  kind: 'v3',
  deployer: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9',
  codeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
  fees: [100, 500, 2_500, 10_000],
}

const usualV3 = uniswapV3('0x1f98431c8ad98523631ae4a59f267346ea31f984')

/**
 * Oracles: Aave v3 (bgd-labs/aave-address-book 4.44). Factories: @uniswap/sdk-core 7.19, @uniswap/v3-sdk,
 * PancakeSwap's SDK.
 */
const table: { [chainId: number]: PriceContracts } = {
  1: {
    oracle: '0x54586be62e3c3580375ae3723c145253060ca0c2',
    makers: [usualV3, uniswapV2('0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f')],
  },
  10: { oracle: '0xd81eb3728a631871a7ebbad631b5f424909f0c77', makers: [usualV3] },
  56: {
    oracle: '0x39bc1bfda2130d6bb6dbefd366939b4c7aa7c697',
    makers: [pancakeV3, pancakeV2, uniswapV3('0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7')],
  },
  100: { oracle: '0xeb0a051be10228213baeb449db63719d6742f7c4', makers: [] },
  130: {
    makers: [
      uniswapV3('0x1f98400000000000000000000000000000000003'),
      uniswapV2('0x1f98400000000000000000000000000000000002'),
    ],
  },
  137: { oracle: '0xb023e699f5a33916ea823a16485e259257ca8bd1', makers: [usualV3] },
  8453: {
    oracle: '0x2cc0fc26ed4563a5ce5e8bdcfe1a2878676ae156',
    makers: [
      uniswapV3('0x33128a8fc17869897dce68ed026d694621f6fdfd'),
      uniswapV2('0x8909dc15e40173ff4699343b6eb8132c65e18ec6'),
    ],
  },
  42161: { oracle: '0xb56c2f0b653b2e0b10c9b928c8580ac5df02c7c7', makers: [usualV3] },
  43114: {
    oracle: '0xebd36016b3ed09d4693ed4251c67bd858c3c7c9c',
    makers: [uniswapV3('0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad')],
  },
  59144: {
    oracle: '0xcfdada7dcd2e785cf706badbc2b8af5084d595e9',
    makers: [uniswapV3('0x31fafd4889fa1269f7a13a66ee0fb458f27d72a9')],
  },
}
