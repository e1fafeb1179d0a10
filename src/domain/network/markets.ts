import { concatHex, keccak256 } from 'viem'
import type { Address, Hex } from '../token/token.ts'
import { toWords } from '../words.ts'
import { findPublicChain } from './chains.ts'
import type { Network } from './network.ts'

export type PriceContracts = { oracle?: Address | undefined; makers: PoolMaker[] }

/** CREATE2 deployer of pools with their code hash. `fees` in millionths, only for v3. */
export type PoolMaker = { kind: 'v2' | 'v3'; deployer: Address; codeHash: Hex; fees: number[] }

/**
 * Returns the built-in contracts of a public chain, so that no record or backup names another oracle; for
 * others (localnet) the network's.
 */
export function getPriceContracts({ chainId, market }: Pick<Network, 'chainId' | 'market'>): PriceContracts {
  const chain = findPublicChain(chainId)
  const { oracle, v2Factory, v3Factory } = chain ? { oracle: chain.oracle, ...chain.uniswap } : (market ?? {})
  const uniswap = [...(v3Factory ? [uniswapV3(v3Factory)] : []), ...(v2Factory ? [uniswapV2(v2Factory)] : [])]
  return { oracle, makers: [...(others[chainId] ?? []), ...uniswap] }
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
  const { v2Factory } = findPublicChain(chainId)?.uniswap ?? {}
  return v2Factory && poolAddresses(uniswapV2(v2Factory), one, other)[0]
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

/** PancakeSwap's SDK. */
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

/** Larger than Uniswap there. */
const others: { [chainId: number]: PoolMaker[] } = { 56: [pancakeV3, pancakeV2] }
