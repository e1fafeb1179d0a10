import { decodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Address, Factory } from '../../config.ts'
import { addressOf, view, words } from '../../indexer/abiWords.ts'
import { toLowerAddress } from '../../indexer/address.ts'
import type { BlockRef, Chain } from '../../indexer/chain.ts'
import type { IsolatedCall } from '../../indexer/isolatedReads.ts'
import { nativeTokenAddress } from '../../tokens/registry.ts'
import type { PoolInfo } from '../poolType.ts'
import { readIsolated } from './readIsolated.ts'
import { maxTokens, maxTokensOf, ngForm, type StableSwapInfo } from './stableSwapPool.ts'

const coins = view('function coins(uint256)')
const preciseA = view('function A_precise()')
const storedRates = view('function stored_rates()')
const basePool = view('function base_pool()')
const ngBasePool = view('function BASE_POOL()')
const assetTypes = view('function get_pool_asset_types(address)')
const poolDecimals = view('function get_decimals(address)')
const ratesOf = view('function get_rates(address)')
const decimalsOf = view('function decimals()')
const sharesOf = ['sharesOf', 'scaledBalanceOf', 'creditsBalanceOf'].map((name) =>
  view(`function ${name}(address)`),
)

/** Rates of lent tokens differ from it. */
const unlent = 10n ** 18n

/**
 * Lists plain pools in one request: skips those of other pools' shares, of tokens without usable decimals,
 * and of the native token with the wrapped one, which stands for it. With `isRated` also those of which the
 * factory does not tell that no token is lent.
 */
export async function listStableSwaps(
  chain: Chain,
  block: BlockRef,
  addresses: readonly Address[],
  form: number,
  { kind, source, address: factory }: Factory,
  wrapped: Address,
  isRated = false,
): Promise<PoolInfo<StableSwapInfo>[]> {
  const pools = [...new Set(addresses.map(toLowerAddress))]
  const answers = await readIsolated(
    chain,
    block,
    pools.map((pool) => questionsOf(pool, form, factory)),
  )
  return pools.flatMap((address, i) => {
    const { tokens, precise, base, ngBase, rates, types, told, places, lent, shares } = parse(
      answers[i] as Hex[],
    )
    const count = tokens.length
    // PancakeSwap's pools pay native coins with too little gas for the router.
    const isTraded = !tokens.includes(nativeTokenAddress) || (form !== 1 && !tokens.includes(wrapped))
    if (base !== '0x' || ngBase !== '0x' || count < 2 || count > maxTokensOf(form) || !isTraded) return []
    if (isRated && tokens.some((_, i) => lent[i] !== unlent)) return []
    const decimals = tokens.map((token, i) => decimalsIn(token, told[i], places[i]))
    if (decimals.some((places) => places > 18)) return []
    const hasRates = rates !== '0x'
    // Tokens that keep shares, as stETH and Aave's do: balances change without an event.
    const isRebasing = shares.some((answer) => answer !== '0x')
    const isFloating = form === ngForm ? typesOf(types).some((type) => type !== 0n) : hasRates || isRebasing
    const nativeIndex = tokens.indexOf(nativeTokenAddress)
    const fixed = { form, precision: precise === '0x' ? 1 : 100, decimals, hasRates, isFloating, nativeIndex }
    const traded = tokens.map((token, i) => (i === nativeIndex ? wrapped : token))
    return [{ kind, source, address, tokens: traded, fixed }]
  })
}

const ofPool = [preciseA, storedRates, basePool, ngBasePool]
const ofFactory = [assetTypes, poolDecimals, ratesOf]

function questionsOf(pool: Address, form: number, factory: Address): IsolatedCall[] {
  const places = Array.from({ length: maxTokens }, (_, i) => i)
  return [
    ...places.map((i) => ({ to: pool, data: coins(i) })),
    ...ofPool.map((question) => ({ to: pool, data: question() })),
    ...ofFactory.map((question) => ({ to: factory, data: question(pool) })),
    ...places.map((i) => ({ answerOf: i, data: decimalsOf() })),
    // StableSwap-NG has types of tokens instead.
    ...(form === ngForm ? [] : places.slice(0, maxTokensOf(form))).flatMap((i) =>
      sharesOf.map((question) => ({ answerOf: i, data: question(pool) })),
    ),
  ]
}

function parse(answers: readonly Hex[]) {
  const [precise, rates, base, ngBase, types = '0x', told, lent] = answers.slice(maxTokens)
  const tokens = tokensOf(answers.slice(0, maxTokens))
  const placesAt = maxTokens + ofPool.length + ofFactory.length
  return {
    ...{ tokens, precise, rates, base, ngBase, types, told: listIn(told), lent: listIn(lent) },
    places: answers.slice(placesAt, placesAt + maxTokens).map((answer) => words(answer)[0]),
    shares: answers.slice(placesAt + maxTokens),
  }
}

/** Infinite if nothing tells them. */
function decimalsIn(token: Address, told: bigint | undefined, own: bigint | undefined): number {
  if (told !== undefined) return Number(told)
  if (token === nativeTokenAddress) return 18
  return own === undefined ? Number.POSITIVE_INFINITY : Number(own)
}

/** Up to the first index without a token. */
function tokensOf(answers: readonly Hex[]): Address[] {
  const tokens: Address[] = []
  for (const answer of answers) {
    const token = addressOf(words(answer)[0])
    if (token === undefined) break
    tokens.push(token)
  }
  return tokens
}

/** Of a fixed length, or with offset and length before it. */
export function listIn(answer: Hex | undefined): bigint[] {
  const all = words(answer ?? '0x')
  return all[0] === 32n ? all.slice(2) : all
}

/** Unknown types may be anything. */
function typesOf(answer: Hex): bigint[] {
  if (answer === '0x') return [-1n]
  return [...decodeAbiParameters(parseAbiParameters('uint256[]'), answer)[0]]
}
