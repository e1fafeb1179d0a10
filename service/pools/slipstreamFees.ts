import { zeroAddress } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Call, Chain } from '../indexer/chain.ts'

/** The fee of a pool at the end of a block, which its factory asks a module for (CLFactory.getSwapFee). */
export type SlipstreamFee = {
  /** Millionths of the input; `unknownFee` if the next swap's depends on its place in the block. */
  feePpm: number
  /** The zero address without one. */
  module: Address
  /** True if the fee follows price and time, which no event tells. */
  isMoving: boolean
  /** Price observations that the module searches for each swap, 0 if none. */
  observations: number
}

export type FeeReading = { pool: Address; factory: Address }

/** Above all fees with which a pool can trade. */
export const unknownFee = 1_000_000

/** DynamicSwapFeeModule.ZERO_FEE_INDICATOR */
const noFee = 420n
/** DynamicSwapFeeModule.MIN_SECONDS_AGO */
const secondsPerObservation = 2n

const swapFeeModule = view('function swapFeeModule()')
const getSwapFee = view('function getSwapFee(address)')
const slot0 = view('function slot0()')
const dynamicFeeConfig = view('function dynamicFeeConfig(address)')
const defaultScalingFactor = view('function defaultScalingFactor()')
const secondsAgo = view('function secondsAgo()')
/** Of CustomSwapFeeModule alone. */
const maxFee = view('function MAX_FEE()')

/** Modules of factories as they were last read; each read of fees verifies them. */
const modulesOf = new WeakMap<Chain, ReadonlyMap<Address, Address>>()

/** In the order of `readings`: one request, another while a factory's module is unknown or was replaced. */
export async function readSlipstreamFees(
  chain: Chain,
  block: BlockRef,
  readings: readonly FeeReading[],
): Promise<SlipstreamFee[]> {
  if (readings.length === 0) return []
  const factories = [...new Set(readings.map(({ factory }) => factory))]
  const last = modulesOf.get(chain)
  const isKnown = last !== undefined && factories.every((factory) => last.has(factory))
  const fees = isKnown ? await readBy(last) : undefined
  if (fees !== undefined) return fees
  const modules = await readModules(chain, block, factories)
  // A new map: reads that are under way keep what they asked.
  modulesOf.set(chain, new Map([...(modulesOf.get(chain) ?? []), ...modules]))
  const read = await readBy(modules)
  if (read === undefined) throw new Error('The node answers of two blocks for one.')
  return read

  /** Undefined if a factory has another module. */
  async function readBy(modules: ReadonlyMap<Address, Address>): Promise<SlipstreamFee[] | undefined> {
    const moduleOf = (factory: Address) => modules.get(factory) as Address
    const named = [...new Set(factories.map(moduleOf))]
    const [current = [], facts = [], ...answers] = await chain.read(
      [
        factories.map((to) => ({ to, data: swapFeeModule() })),
        named.flatMap((to) =>
          [defaultScalingFactor(), secondsAgo(), maxFee()].map((data) => tried(to, data)),
        ),
        ...readings.map(({ pool, factory }) => [
          tried(factory, getSwapFee(pool)),
          tried(moduleOf(factory), dynamicFeeConfig(pool)),
          { to: pool, data: slot0() },
        ]),
      ],
      block,
    )
    if (current.some((answer, i) => toModule(answer) !== moduleOf(factories[i] as Address))) return undefined
    return readings.map(({ factory }, i) => {
      const module = moduleOf(factory)
      const at = 3 * named.indexOf(module)
      const [scaling, seconds, most] = facts.slice(at, at + 3).map((answer) => words(answer)[0])
      const [fee = [], config = [], slot = []] = (answers[i] ?? []).map(words)
      const isKnown = fee[0] !== undefined && fee[0] < BigInt(unknownFee)
      const feePpm = isKnown ? Number(fee[0]) : unknownFee
      if (module === zeroAddress || (most !== undefined && seconds === undefined && isKnown)) {
        return { feePpm, module, isMoving: false, observations: 0 }
      }
      const [base, , ownScaling = 0n, hasInitialFee = 0n] = config
      // A module of another kind may change its fees at any time.
      if (scaling === undefined || seconds === undefined || base === undefined || !isKnown) {
        return { feePpm, module, isMoving: true, observations: 0 }
      }
      // The first swap of a block pays another fee than the next ones.
      if (hasInitialFee !== 0n) return { feePpm: unknownFee, module, isMoving: false, observations: 0 }
      const cardinality = slot[4] ?? 0n
      const isObserved = base !== noFee && cardinality >= seconds / secondsPerObservation
      const isMoving = isObserved && (ownScaling || scaling) > 0n
      return { feePpm, module, isMoving, observations: isObserved ? Number(cardinality) : 0 }
    })
  }
}

async function readModules(
  chain: Chain,
  block: BlockRef,
  factories: readonly Address[],
): Promise<Map<Address, Address>> {
  const answers = await chain.read(
    factories.map((to) => [{ to, data: swapFeeModule() }]),
    block,
  )
  return new Map(factories.map((factory, i) => [factory, toModule(answers[i]?.[0] ?? '0x')]))
}

function tried(to: Address, data: Call['data']): Call {
  return { to, data, mayFail: true }
}

function toModule(answer: `0x${string}`): Address {
  return `0x${(words(answer)[0] ?? 0n).toString(16).padStart(40, '0')}`
}
