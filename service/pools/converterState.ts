import { type Hex, maxUint256, numberToHex } from 'viem'
import type { Address, Factory } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Call, Chain } from '../indexer/chain.ts'
import { type ShareRate, toAssets, toShares } from './math/converterMath.ts'

export type ConverterForm = 'vault' | 'wsteth' | 'psm'

/** Tokens: asset and share, stETH and wstETH, gem and DAI. */
export type Converter = {
  form: ConverterForm
  /** True if only the first token can be sold. */
  isOneWay: boolean
  /** Peg modules: to18ConversionFactor; others 1. */
  unit: bigint
  /**
   * Vaults: none, or an account whose maxRedeem shows the limit. Peg modules: pocket, the module with the
   * balance, and its DAI.
   */
  parties: readonly Address[]
}

/** In the order of the tokens. */
export type ConverterState = {
  /** Assets and shares of equal worth; of peg modules tin and tout. */
  rates: ShareRate
  maxSold: readonly [bigint, bigint]
  maxBought: readonly [bigint, bigint]
}

type Named = { address: Address; tokens: readonly Address[]; fixed: Converter }

export const ray = 10n ** 27n

/** Odd amounts from dust to more than exists, at which the formula must equal the contract's previews. */
const probes = [1n, 1_234_567n, 10n ** 18n + 987_654_321n, 7n * 10n ** 24n + 11n, 3n * 10n ** 31n + 7n]

/** Receiver of previews that may depend on one. */
const anyone: Address = '0x000000000000000000000000000000000000a11e'

const asset = view('function asset()')
const totalAssets = view('function totalAssets()')
const totalSupply = view('function totalSupply()')
const convertToAssets = view('function convertToAssets(uint256)')
const previewDeposit = view('function previewDeposit(uint256)')
const previewRedeem = view('function previewRedeem(uint256)')
const maxDeposit = view('function maxDeposit(address)')
const maxRedeem = view('function maxRedeem(address)')
const balanceOf = view('function balanceOf(address)')
const allowance = view('function allowance(address, address)')
const stETH = view('function stETH()')
const getTotalPooledEther = view('function getTotalPooledEther()')
const getTotalShares = view('function getTotalShares()')
const getExternalEther = view('function getExternalEther()')
const getExternalShares = view('function getExternalShares()')
const isStopped = view('function isStopped()')
const getWstETHByStETH = view('function getWstETHByStETH(uint256)')
const getStETHByWstETH = view('function getStETHByWstETH(uint256)')
const gem = view('function gem()')
const dai = view('function dai()')
const pocket = view('function pocket()')
const psm = view('function psm()')
const to18ConversionFactor = view('function to18ConversionFactor()')
const tin = view('function tin()')
const tout = view('function tout()')

const byAmount = (call: (amount: Hex) => Hex) => probes.map((amount) => call(numberToHex(amount)))

/** Reads tokens and parties of a converter; undefined if the contract is none. */
export async function identify(
  chain: Chain,
  block: BlockRef,
  { address, form, holder }: Factory,
): Promise<Pick<Named, 'tokens' | 'fixed'> | undefined> {
  const ask = async (to: Address, data: readonly Hex[]) => {
    return (await chain.readIsolated([data.map((data) => ({ to, data }))], block))[0] ?? []
  }
  if (form === 'psm') {
    const [first, second, third, inner, factor = '0x'] = await ask(address, [
      ...[gem(), dai(), pocket(), psm(), to18ConversionFactor()],
    ])
    const [gems, money, keeper, module = address] = [first, second, third, inner].map(toAddress)
    const unit = words(factor)[0]
    if (!gems || !money || !keeper || !unit) return undefined
    // A wrapper of another DAI pays what the module pays (makerdao/usds-wrappers: UsdsPsmWrapper.sol).
    const paid = module === address ? money : toAddress((await ask(module, [dai()]))[0])
    if (!paid) return undefined
    const fixed = { form, isOneWay: false, unit, parties: [keeper, module, paid] } as const
    return { tokens: [gems, money], fixed }
  }
  const [answer] = await ask(address, [form === 'wsteth' ? stETH() : asset()])
  const inside = toAddress(answer)
  if (!inside || inside === address) return undefined
  const fixed = {
    form: form === 'wsteth' ? 'wsteth' : 'vault',
    isOneWay: form === 'erc4626-deposit',
    unit: 1n,
    parties: form !== 'wsteth' && holder ? [holder] : [],
  } as const
  return { tokens: [inside, address], fixed }
}

/** Reads states at `block`; undefined where the contract's previews differ from the formula. */
export async function readConverters(
  chain: Chain,
  block: BlockRef,
  converters: readonly Named[],
): Promise<(ConverterState | undefined)[]> {
  const calls = converters.map((one) => readings[one.fixed.form].calls(one))
  const addresses = converters.map(({ address }) => address)
  const answers = await chain.readIsolated(calls, block, addresses)
  return converters.map(({ fixed }, i) => readings[fixed.form].parse(fixed, answers[i] ?? []))
}

/** Calls, and the state that their answers tell. */
type Reading = {
  calls(converter: Named): Call[]
  parse(fixed: Converter, answers: readonly Hex[]): ConverterState | undefined
}

const vault: Reading = {
  calls: ({ address, tokens, fixed: { parties } }) => [
    ...[totalAssets(), totalSupply(), convertToAssets(numberToHex(ray)), maxDeposit(anyone)].map((data) => {
      return { to: address, data }
    }),
    parties[0] === undefined
      ? { to: tokens[0] as Address, data: balanceOf(address) }
      : { to: address, data: maxRedeem(parties[0]) },
    ...[...byAmount(previewDeposit), ...byAmount(previewRedeem)].map((data) => ({ to: address, data })),
  ],

  parse({ isOneWay, parties }, answers) {
    const [assets, supply, accumulator, deposits, limit, ...previews] = answers.map(
      (answer) => words(answer)[0],
    )
    if (assets === undefined || supply === undefined || deposits === undefined) return undefined
    // Virtual shares (OpenZeppelin: ERC4626.sol), none (Solmate), or an accumulator in rays (Sky: SUsds.sol).
    const rates: ShareRate[] = [
      ...Array.from({ length: 19 }, (_, offset) => [assets + 1n, supply + 10n ** BigInt(offset)] as const),
      supply === 0n ? [1n, 1n] : [assets, supply],
      [accumulator ?? 0n, ray],
    ]
    const rates_ = rates.find((rate) => equalsPreviews(rate, previews))
    if (rates_ === undefined) return undefined
    const isAccumulator = rates_[1] === ray && rates_[0] === accumulator
    return {
      rates: rates_,
      maxSold: [
        least(deposits, maxUint256 / (isAccumulator ? ray : 1n)),
        isOneWay ? 0n : parties[0] === undefined ? supply : (limit ?? 0n),
      ],
      // Assets elsewhere may not be at hand.
      maxBought: [
        isAccumulator || parties[0] !== undefined ? maxUint256 : (limit ?? 0n),
        maxUint256 - supply,
      ],
    }
  },
}

const wsteth: Reading = {
  calls: ({ address, tokens }) => [
    ...[getTotalPooledEther(), getTotalShares(), getExternalEther(), getExternalShares(), isStopped()].map(
      (data) => ({ to: tokens[0] as Address, data }),
    ),
    ...[totalSupply(), ...byAmount(getWstETHByStETH), ...byAmount(getStETHByWstETH)].map((data) => {
      return { to: address, data }
    }),
  ],

  parse(_fixed, answers) {
    const [ether, shares, externalEther = 0n, externalShares = 0n, stopped = 0n, supply, ...previews] =
      answers.map((answer) => words(answer)[0])
    if (ether === undefined || shares === undefined || supply === undefined) return undefined
    // Without what vaults outside the pool minted (lidofinance/core: Lido.sol, `_getShareRateNumerator`).
    const rates = [ether - externalEther, shares - externalShares] as const
    if (!equalsPreviews(rates, previews)) return undefined
    const isOpen = stopped === 0n
    return { rates, maxSold: isOpen ? [ether, supply] : [0n, 0n], maxBought: [maxUint256, maxUint256] }
  },
}

const pegModule: Reading = {
  calls({ address, tokens: [gems], fixed }) {
    const [keeper, module, money] = fixed.parties as [Address, Address, Address]
    return [
      { to: address, data: tin() },
      { to: address, data: tout() },
      { to: money, data: balanceOf(module) },
      { to: gems as Address, data: balanceOf(keeper) },
      { to: gems as Address, data: allowance(keeper, module) },
    ]
  },

  parse({ unit }, answers) {
    const [sellFee, buyFee, money, gems, allowed] = answers.map((answer) => words(answer)[0])
    if (sellFee === undefined || buyFee === undefined || gems === undefined || allowed === undefined) {
      return undefined
    }
    const whole = 10n ** 18n
    const most = maxUint256 / whole
    return {
      rates: [sellFee, buyFee],
      maxSold: [sellFee > whole ? 0n : most / unit, buyFee > whole ? 0n : most],
      maxBought: [least(gems, allowed), money ?? 0n],
    }
  },
}

const readings: Record<ConverterForm, Reading> = { vault, wsteth, psm: pegModule }

/** `previews` of the assets, then of the shares. Contracts may refuse amounts, but not all. */
function equalsPreviews(rate: ShareRate, previews: readonly (bigint | undefined)[]): boolean {
  if (rate[0] <= 0n || rate[1] <= 0n) return false
  const pairs = [toShares, toAssets].flatMap((convert, i) =>
    probes.map((amount, j) => [convert(amount, rate), previews[i * probes.length + j]] as const),
  )
  const known = pairs.filter(([, preview]) => preview !== undefined)
  return known.length >= 6 && known.every(([own, preview]) => own === preview)
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function toAddress(answer: Hex = '0x'): Address | undefined {
  return answer.length === 66 && BigInt(answer) >> 160n === 0n && BigInt(answer) !== 0n
    ? (`0x${answer.slice(26)}` as Address)
    : undefined
}
