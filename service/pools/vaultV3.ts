import { type AbiEvent, decodeAbiParameters, type Hex, parseAbi, parseAbiParameters } from 'viem'
import type { Address, Factory } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { BlockRef, Call, Chain, Log } from '../indexer/chain.ts'
import { one } from './math/fixedPoint.ts'
import type { PoolInfo, PoolReadRequest } from './poolType.ts'
import { isAddress, isAmount, isList, isRecord } from './valid.ts'

/** Immutable data of a pool in Balancer's v3 vault (balancer-v3-monorepo: Vault.sol). */
export type VaultV3Pool = {
  vault: Address
  /** 10^(18 - decimals) per token. */
  scales: readonly bigint[]
  /** Least amount after fee, and least output, both with 18 decimals (Vault._MINIMUM_TRADE_AMOUNT). */
  minTrade: bigint
}

export type VaultV3State = {
  /** In base units, after fees on yield. */
  balances: readonly bigint[]
  /** With 18 decimals; one for tokens without rate provider. */
  rates: readonly bigint[]
  /** Input fee with 18 decimals. */
  fee: bigint
  /** Part of the fee that leaves the pool, with 18 decimals; none in recovery mode. */
  aggregateFee: bigint
  /** Paused, not initialized, or without rates. */
  isClosed: boolean
  /** A pause expires, rates and amplification move. */
  isRestless: boolean
}

/** PackedTokenBalance.sol stores balances in 128 bits, in base units and with 18 decimals. */
export const maxPacked = 2n ** 128n - 1n

/** True for valid immutable data of a pool of `tokenCount` tokens. */
export function isVaultV3Pool(tokenCount: number, data: unknown): data is Record<string, unknown> {
  return (
    isRecord(data) &&
    isAddress(data.vault) &&
    isList(data.scales, tokenCount, isScale) &&
    data.scales.length === tokenCount &&
    isAmount(data.minTrade, 0n, maxPacked)
  )
}

export function isVaultV3State(tokenCount: number, data: unknown): data is Record<string, unknown> {
  return (
    isRecord(data) &&
    isList(data.balances, tokenCount, isBalance) &&
    data.balances.length === tokenCount &&
    isList(data.rates, tokenCount, isRate) &&
    data.rates.length === tokenCount &&
    isAmount(data.fee, 0n, one) &&
    isAmount(data.aggregateFee, 0n, one) &&
    typeof data.isClosed === 'boolean' &&
    typeof data.isRestless === 'boolean'
  )
}

const isScale = (data: unknown): data is bigint => isAmount(data, 1n, one)
const isBalance = (data: unknown): data is bigint => isAmount(data, 0n, maxPacked)
const isRate = (data: unknown): data is bigint => isAmount(data, 1n, maxPacked)

/** Events of the vault and of its pools. */
export const vaultV3Changes: readonly AbiEvent[] = parseAbi([
  'event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)',
  'event LiquidityAdded(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsAddedRaw, uint256[] swapFeeAmountsRaw)',
  'event LiquidityRemoved(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsRemovedRaw, uint256[] swapFeeAmountsRaw)',
  'event SwapFeePercentageChanged(address indexed pool, uint256 swapFeePercentage)',
  'event AggregateSwapFeePercentageChanged(address indexed pool, uint256 aggregateSwapFeePercentage)',
  'event PoolPausedStateChanged(address indexed pool, bool paused)',
  'event PoolRecoveryModeStateChanged(address indexed pool, bool recoveryMode)',
  'event VaultPausedStateChanged(bool paused)',
])

/** Returns an event's pool, or the vault if the event is about all its pools. */
export function vaultV3PoolOf({ address, args }: Log): Address {
  return toLowerAddress((args as { pool?: Address }).pool ?? address)
}

const getVault = view('function getVault()')
const getMinimumTradeAmount = view('function getMinimumTradeAmount()')
const getPoolTokens = view('function getPoolTokens(address)')
const getPoolConfig = view('function getPoolConfig(address)')
const getHooksConfig = view('function getHooksConfig(address)')
const getPoolTokenInfo = view('function getPoolTokenInfo(address)')
const getPoolData = view('function getPoolData(address)')
const isPoolPaused = view('function isPoolPaused(address)')
const isVaultPaused = view('function isVaultPaused()')

export type VaultV3Member = { listing: PoolInfo<VaultV3Pool>; answers: readonly Hex[] }

/** Lists the pools of factory events, and `questions` to them; skips pools whose hooks take part in swaps. */
export async function listVaultV3Pools(
  chain: Chain,
  block: BlockRef,
  logs: readonly Log[],
  { kind, source, address: factory }: Factory,
  questions: readonly Omit<Call, 'to'>[],
): Promise<VaultV3Member[]> {
  const pools = logs.map(({ args }) => toLowerAddress((args as { pool: Address }).pool))
  const [[home = '0x'] = []] = await chain.read([[{ to: factory, data: getVault() }]], block)
  const vault = toLowerAddress(`0x${home.slice(26)}`)
  const [[least = '0x'] = [], ...about] = await chain.read(
    [
      [{ to: vault, data: getMinimumTradeAmount() }],
      ...pools.map((pool) => [
        ...[getPoolTokens(pool), getPoolConfig(pool), getHooksConfig(pool)].map((data) => ({
          ...{ to: vault, data, mayFail: true },
        })),
        ...questions.map((question) => ({ to: pool, ...question })),
      ]),
    ],
    block,
  )
  const [minTrade = 0n] = words(least)
  return about.flatMap(([named = '0x', config = '0x', hooks = '0x', ...answers], i) => {
    if (named === '0x' || config === '0x' || hooks === '0x' || takesPart(hooks)) return []
    const tokens = decodeAbiParameters(tokenList, named)[0].map(toLowerAddress)
    const diffs = words(config)[tokenDecimalDiffs] ?? 0n
    const scales = tokens.map((_, j) => 10n ** ((diffs >> BigInt(5 * j)) & 31n))
    const listing = { kind, source, address: pools[i] as Address, tokens }
    return [{ listing: { ...listing, fixed: { vault, scales, minTrade } }, answers }]
  })
}

const tokenList = parseAbiParameters('address[]')

/** Words of PoolConfig (VaultTypes.sol); five bits a token tell how many decimals are missing. */
const [staticSwapFee, aggregateSwapFee, tokenDecimalDiffs, isInRecoveryMode] = [4, 5, 7, 12] as const

/** Words 3 to 5 of HooksConfig: dynamic fee, before and after a swap. Immutable once registered. */
function takesPart(hooks: Hex): boolean {
  return words(hooks)
    .slice(3, 6)
    .some((flag) => flag !== 0n)
}

/** Reads the states at `block` and the results of `questions`. */
export async function readVaultV3(
  chain: Chain,
  block: BlockRef,
  readings: readonly PoolReadRequest<VaultV3Pool>[],
  questions: readonly Hex[],
): Promise<{ state: VaultV3State; answers: readonly Hex[] }[]> {
  const calls = readings.map(({ listing: { address, fixed } }) => [
    ...[isVaultPaused(), isPoolPaused(address), getPoolConfig(address)].map((data) => ({
      ...{ to: fixed.vault, data },
    })),
    { to: fixed.vault, data: getPoolTokenInfo(address) },
    ...questions.map((data) => ({ to: address, data })),
  ])
  // Fails before the pool is initialized. Rate providers are anyone's.
  const rated = readings.map(({ listing: { address, fixed } }) => [
    { to: fixed.vault, data: getPoolData(address) },
  ])
  const addresses = readings.map(({ listing }) => listing.address)
  const [own, pools] = await Promise.all([
    chain.read(calls, block),
    chain.readIsolated(rated, block, addresses),
  ])
  return own.map((answers, i) => {
    const [isStopped, isPaused, config, info = '0x'] = answers
    const [data = '0x'] = pools[i] ?? []
    const tokens = (readings[i] as PoolReadRequest<VaultV3Pool>).listing.tokens
    const set = words(config ?? '0x')
    const paused = [isStopped, isPaused].some((answer) => words(answer ?? '0x')[0] !== 0n)
    const [, infos] = decodeAbiParameters(tokenInfo, info)
    const isRated = infos.some(({ tokenType }) => tokenType !== 0)
    const { balances, rates } = data === '0x' ? nothing(tokens.length) : decodePoolData(data)
    const areRatesValid = rates.every((rate) => rate > 0n && rate <= maxPacked)
    return {
      state: {
        balances,
        rates: areRatesValid ? rates : tokens.map(() => one),
        fee: set[staticSwapFee] ?? 0n,
        aggregateFee: set[isInRecoveryMode] === 1n ? 0n : (set[aggregateSwapFee] ?? 0n),
        isClosed: paused || data === '0x' || !areRatesValid,
        isRestless: paused || isRated,
      },
      answers: answers.slice(4),
    }
  })
}

const tokenInfo = parseAbiParameters([
  'address[] tokens, TokenInfo[] infos, uint256[] raw, uint256[] live',
  'struct TokenInfo { uint8 tokenType; address rateProvider; bool paysYieldFees; }',
])

function nothing(count: number): { balances: bigint[]; rates: bigint[] } {
  return { balances: Array(count).fill(0n), rates: Array(count).fill(one) }
}

/** Of PoolData (VaultTypes.sol): lists 3 and 5 are balances in base units and rates. */
function decodePoolData(data: Hex): { balances: bigint[]; rates: bigint[] } {
  const all = words(data)
  const listAt = (member: number) => {
    const at = 1 + Number(all[1 + member] ?? 0n) / 32
    return all.slice(at + 1, at + 1 + Number(all[at] ?? 0n))
  }
  return { balances: listAt(3), rates: listAt(5) }
}
