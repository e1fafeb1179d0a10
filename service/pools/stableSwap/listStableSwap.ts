import { decodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Address, Factory } from '../../config.ts'
import { addressOf, view, words } from '../../indexer/abiWords.ts'
import { toLowerAddress } from '../../indexer/address.ts'
import type { BlockRef, Chain } from '../../indexer/chain.ts'
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
const decimalsOf = view('function decimals()')
const sharesOf = ['sharesOf', 'scaledBalanceOf', 'creditsBalanceOf'].map((name) =>
  view(`function ${name}(address)`),
)

/**
 * Lists plain pools: skips those of other pools' shares, of tokens without usable decimals, and of the native
 * token with the wrapped one, which stands for it.
 */
export async function listStableSwaps(
  chain: Chain,
  block: BlockRef,
  addresses: readonly Address[],
  form: number,
  { kind, source, address: factory }: Factory,
  wrapped: Address,
): Promise<PoolInfo<StableSwapInfo>[]> {
  const pools = [...new Set(addresses.map(toLowerAddress))]
  const answers = await readIsolated(
    chain,
    block,
    pools.map((to) => [
      ...Array.from({ length: maxTokens }, (_, i) => ({ to, data: coins(i) })),
      ...[preciseA, storedRates, basePool, ngBasePool].map((question) => ({ to, data: question() })),
      ...[assetTypes, poolDecimals].map((question) => ({ to: factory, data: question(to) })),
    ]),
  )
  const plain = pools.flatMap((address, i) => {
    const [precise, rates, base, ngBase, types, places] = (answers[i] as Hex[]).slice(maxTokens)
    const tokens = tokensOf((answers[i] as Hex[]).slice(0, maxTokens))
    const isPlain = base === '0x' && ngBase === '0x' && tokens.length >= 2
    // PancakeSwap's pools pay native coins with too little gas for the router.
    const isTraded = !tokens.includes(nativeTokenAddress) || (form !== 1 && !tokens.includes(wrapped))
    return isPlain && isTraded
      ? [{ address, tokens, precise, rates, types, told: listIn(places).slice(0, tokens.length) }]
      : []
  })
  const untold = plain.filter(({ told, tokens }) => told.length < tokens.length)
  const [placesOf, rebasing] = await Promise.all([
    readDecimals(chain, block, tokensIn(untold)),
    form === ngForm ? new Set<Address>() : findRebasing(chain, block, tokensIn(plain), plain[0]?.address),
  ])
  return plain.flatMap(({ address, tokens, told, precise, rates, types = '0x' }) => {
    const decimals = tokens.flatMap((token, i) => told[i] ?? placesOf.get(token) ?? []).map(Number)
    if (decimals.length < tokens.length || decimals.some((places) => places > 18)) return []
    if (tokens.length > maxTokensOf(form)) return []
    const hasRates = rates !== '0x'
    const isFloating =
      form === ngForm
        ? typesOf(types).some((type) => type !== 0n)
        : hasRates || tokens.some((token) => rebasing.has(token))
    const nativeIndex = tokens.indexOf(nativeTokenAddress)
    const fixed = { form, precision: precise === '0x' ? 1 : 100, decimals, hasRates, isFloating, nativeIndex }
    return [
      {
        kind,
        source,
        address,
        tokens: tokens.map((token, i) => (i === nativeIndex ? wrapped : token)),
        fixed,
      },
    ]
  })
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

function tokensIn(pools: readonly { tokens: readonly Address[] }[]): Address[] {
  return [...new Set(pools.flatMap(({ tokens }) => tokens))]
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

async function readDecimals(
  chain: Chain,
  block: BlockRef,
  tokens: readonly Address[],
): Promise<Map<Address, number>> {
  const contracts = tokens.filter((token) => token !== nativeTokenAddress)
  const asked = contracts.map((to) => [{ to, data: decimalsOf() }])
  const answers = await readIsolated(chain, block, asked)
  const places = new Map<Address, number>([[nativeTokenAddress, 18]])
  for (const [i, token] of contracts.entries()) {
    const found = words(answers[i]?.[0] ?? '0x')[0]
    if (found !== undefined && found <= 18n) places.set(token, Number(found))
  }
  return places
}

/** Returns the tokens that keep shares, as stETH and Aave's do: balances change without an event. */
async function findRebasing(
  chain: Chain,
  block: BlockRef,
  tokens: readonly Address[],
  holder: Address | undefined,
): Promise<Set<Address>> {
  if (holder === undefined) return new Set()
  const asked = tokens.map((to) => sharesOf.map((question) => ({ to, data: question(holder) })))
  const answers = await readIsolated(chain, block, asked)
  return new Set(tokens.filter((_, i) => answers[i]?.some((answer) => answer !== '0x')))
}
