import { type AbiEvent, decodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from 'viem'
import type { Address, Factory } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { BlockRef, Call, Chain, Log } from '../indexer/chain.ts'
import { one } from './math/fixedPoint.ts'
import type { PoolInfo, PoolReadRequest } from './poolType.ts'
import { isAddress, isAmount, isList, isRecord } from './valid.ts'

/** Immutable data of a pool in Balancer's Vault (balancer-v2-monorepo: Vault.sol). */
export type VaultPool = {
  vault: Address
  /** Starts with the pool's address. */
  poolId: Hex
  /** 10^(18 - decimals) per token. */
  scales: readonly bigint[]
}

export type VaultBalances = {
  holdings: readonly TokenBalance[]
  /** Input fee with 18 decimals. */
  fee: bigint
  isPaused: boolean
}

/** Balance of a token: both parts count for the price, only cash can be bought. */
export type TokenBalance = { cash: bigint; managed: bigint }

/** True for valid immutable data of a pool of `tokenCount` tokens. */
export function isVaultPool(tokenCount: number, data: unknown): data is Record<string, unknown> {
  return (
    isRecord(data) &&
    isAddress(data.vault) &&
    typeof data.poolId === 'string' &&
    /^0x[0-9a-f]{64}$/.test(data.poolId) &&
    isList(data.scales, tokenCount, isScale) &&
    data.scales.length === tokenCount
  )
}

export function isVaultBalances(tokenCount: number, data: unknown): data is Record<string, unknown> {
  return (
    isRecord(data) &&
    isList(data.holdings, tokenCount, isHolding) &&
    data.holdings.length === tokenCount &&
    isAmount(data.fee, 0n, one) &&
    typeof data.isPaused === 'boolean'
  )
}

/** Returns what a pool can pay of each token. */
export function payable({ holdings, isPaused }: VaultBalances): bigint[] {
  return isPaused ? [] : holdings.map(({ cash }) => cash)
}

const isScale = (data: unknown): data is bigint => isAmount(data, 1n, one * one)

function isHolding(data: unknown): data is TokenBalance {
  return isRecord(data) && isAmount(data.cash, 0n, 2n ** 112n) && isAmount(data.managed, 0n, 2n ** 112n)
}

export const poolCreated = parseAbi(['event PoolCreated(address indexed pool)'])[0]

/** Events of the Vault and of its pools. */
export const balanceChanges: readonly AbiEvent[] = parseAbi([
  'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)',
  'event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens, int256[] deltas, uint256[] protocolFeeAmounts)',
  'event PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token, int256 cashDelta, int256 managedDelta)',
  'event SwapFeePercentageChanged(uint256 swapFeePercentage)',
  'event PausedStateChanged(bool paused)',
])

/** Returns an event's pool; Vault events identify it by id. */
export function poolAddress({ address, args }: Log): Address {
  const { poolId } = args as { poolId?: Hex }
  return toLowerAddress(poolId === undefined ? address : (poolId.slice(0, 42) as Address))
}

const getPoolId = view('function getPoolId()')
const getVault = view('function getVault()')
const getScalingFactors = view('function getScalingFactors()')
const getPoolTokens = view('function getPoolTokens(bytes32)')
const getPoolTokenInfo = view('function getPoolTokenInfo(bytes32, address)')
const decimals = view('function decimals()')
const getSwapFeePercentage = view('function getSwapFeePercentage()')
const getPausedState = view('function getPausedState()')

export type VaultPoolMember = {
  listing: PoolInfo<VaultPool>
  /** All tokens of the pool in the Vault, its own shares among them. */
  registered: readonly Address[]
  /** True for pools of 2021, which have no `getScalingFactors`. */
  isEarly: boolean
  answers: readonly Hex[]
}

/**
 * Lists the pools of factory events, without their own shares as tokens. Skips pools with unknown token
 * decimals. `hasRates` tells by the answers whether scaling factors include rates.
 */
export async function listVaultPools(
  chain: Chain,
  block: BlockRef,
  logs: readonly Log[],
  { kind, source }: Factory,
  questions: readonly Omit<Call, 'to'>[],
  hasRates: (answers: readonly Hex[]) => boolean = () => false,
): Promise<VaultPoolMember[]> {
  const pools = logs.map(({ args }) => toLowerAddress((args as { pool: Address }).pool))
  const own = [{ data: getPoolId() }, { data: getVault() }, { data: getScalingFactors(), mayFail: true }]
  const about = await chain.read(
    pools.map((to) => [...own, ...questions].map((question) => ({ to, ...question }))),
    block,
  )
  const members = about.map(([poolId = '0x', home = '0x', factors = '0x', ...answers], i) => {
    const vault = toLowerAddress(`0x${home.slice(26)}`)
    return { address: pools[i] as Address, poolId, vault, factors, answers }
  })
  const inside = await chain.read(
    members.map(({ vault, poolId }) => [{ to: vault, data: getPoolTokens(poolId) }]),
    block,
  )
  const all = inside.map(([answer = '0x']) => decodeAbiParameters(poolTokens, answer)[0].map(toLowerAddress))
  const byDecimals = members.map(({ factors, answers }) => factors === '0x' || hasRates(answers))
  const asked = all.flatMap((tokens, i) =>
    byDecimals[i] ? tokens.filter((token) => token !== members[i]?.address) : [],
  )
  const scaleOf = await readScales(chain, block, [...new Set(asked)])

  return members.flatMap(({ address, poolId, vault, factors, answers }, i) => {
    const isEarly = factors === '0x'
    const registered = all[i] ?? []
    const told = byDecimals[i] ? [] : decodeAbiParameters(scalingFactors, factors)[0]
    const traded = registered
      .map((token, j) => ({ token, scale: byDecimals[i] ? scaleOf.get(token) : (told[j] ?? 0n) / one }))
      .filter(({ token }) => token !== address)
    const scales = traded.flatMap(({ scale }) => scale ?? [])
    if (scales.length < traded.length) return []
    const listing = { kind, source, address, tokens: traded.map(({ token }) => token) }
    return [{ listing: { ...listing, fixed: { vault, poolId, scales } }, registered, isEarly, answers }]
  })
}

const poolTokens = parseAbiParameters('address[], uint256[], uint256')
const scalingFactors = parseAbiParameters('uint256[]')

/** Tokens without usable decimals are left out. */
async function readScales(
  chain: Chain,
  block: BlockRef,
  tokens: readonly Address[],
): Promise<Map<Address, bigint>> {
  // Tokens are anyone's.
  const asked = tokens.map((to) => [{ to, data: decimals() }])
  const answers = await chain.readIsolated(asked, block)
  const scales = new Map<Address, bigint>()
  for (const [i, token] of tokens.entries()) {
    const places = words(answers[i]?.[0] ?? '0x')[0]
    if (places !== undefined && places <= 18n) scales.set(token, 10n ** (18n - places))
  }
  return scales
}

/** Reads the states at `block` and the results of `questions`. */
export async function readVaultBalances(
  chain: Chain,
  block: BlockRef,
  readings: readonly PoolReadRequest<VaultPool>[],
  questions: readonly Hex[],
): Promise<{ custody: VaultBalances; answers: readonly Hex[] }[]> {
  const calls = readings.map(({ listing: { address: to, tokens, fixed } }) => [
    ...[getSwapFeePercentage(), getPausedState(), ...questions].map((data) => ({ to, data })),
    ...tokens.map((token) => ({ to: fixed.vault, data: getPoolTokenInfo(fixed.poolId, token) })),
  ])
  const first = 2 + questions.length
  return (await chain.read(calls, block)).map((answers) => {
    const [fee = 0n] = words(answers[0] ?? '0x')
    const [paused = 0n] = words(answers[1] ?? '0x')
    const holdings = answers.slice(first).map((answer) => {
      const [cash = 0n, managed = 0n] = words(answer)
      return { cash, managed }
    })
    return { custody: { holdings, fee, isPaused: paused === 1n }, answers: answers.slice(2, first) }
  })
}
