import type { Address, PoolKind } from '../config.ts'
import type { VaultBalances } from '../pools/balancerVault.ts'
import type { Reserves } from '../pools/constantProduct.ts'
import { createSqrtPrices } from '../pools/math/sqrtPrice.ts'
import type { Tick } from '../pools/math/ticks.ts'
import type { SolidlyPair, SolidlyState } from '../pools/solidly.ts'
import type { Amplified, Version } from '../pools/stable.ts'
import type { Weights } from '../pools/weighted.ts'
import { concentratedCodecs } from './concentratedCodecs.ts'
import { converterCodec } from './converterCodec.ts'
import type { PoolCodec } from './poolCodec.ts'
import { stableSwapCodecs } from './stableSwapCodec.ts'
import { vaultV3Codecs } from './vaultV3Codecs.ts'
import {
  addressWords,
  hashWords,
  readHex,
  readInteger,
  readIntegers,
  readList,
  readMagnitude,
  readWord,
  type WordReader,
  type WordWriter,
  writeHex,
  writeInteger,
  writeIntegers,
  writeMagnitude,
  writeWord,
} from './wordCodec.ts'

/** Kinds whose ticks have a record of their own. */
export const kindsWithTicks: ReadonlySet<PoolKind> = new Set([
  ...(['concentrated', 'uniswap-v4', 'algebra', 'slipstream'] as const),
])

const constantProduct: PoolCodec<{ feePpm: number }, Reserves> = {
  writeFixed: (out, { feePpm }) => writeWord(out, feePpm),
  readFixed: (from) => ({ feePpm: readWord(from) }),
  writeState(out, { reserve0, reserve1 }) {
    writeInteger(out, reserve0)
    writeInteger(out, reserve1)
  },
  readState: (from) => ({ reserve0: readInteger(from), reserve1: readInteger(from) }),
}

const weighted: PoolCodec<Weights, VaultBalances> = {
  writeFixed(out, fixed) {
    writeVaultPool(out, fixed)
    writeIntegers(out, fixed.weights)
  },
  readFixed: (from) => ({ ...readVaultPool(from), weights: readIntegers(from) }),
  writeState: (out, state) => writeBalances(out, state, false),
  readState: (from) => readBalances(from).balances,
}

const stable: PoolCodec<Version, Amplified> = {
  writeFixed(out, fixed) {
    writeVaultPool(out, fixed)
    writeWord(out, fixed.rateProviders?.length ?? 0)
    for (const provider of fixed.rateProviders ?? []) writeHex(out, provider, addressWords)
  },
  readFixed(from) {
    const pool = readVaultPool(from)
    const rateProviders = readList(readWord(from), from, () => readHex(from, addressWords))
    return rateProviders.length === 0 ? pool : { ...pool, rateProviders }
  },
  writeState(out, state) {
    writeBalances(out, state, state.isMoving)
    writeInteger(out, state.amplification)
    writeIntegers(out, state.rates?.used ?? [])
    if (state.rates) writeWord(out, state.rates.expired * 2 + Number(state.rates.isRestless))
  },
  readState(from) {
    const { balances, isMoving } = readBalances(from)
    const state = { ...balances, amplification: readInteger(from), isMoving }
    const used = readIntegers(from)
    if (used.length === 0) return state
    const head = readWord(from)
    return { ...state, rates: { used, expired: head >>> 1, isRestless: (head & 1) === 1 } }
  },
}

const solidly: PoolCodec<SolidlyPair, SolidlyState> = {
  writeFixed(out, { factory, isStable, units }) {
    writeHex(out, factory, addressWords)
    writeWord(out, Number(isStable))
    for (const unit of units) writeInteger(out, unit)
  },
  readFixed(from) {
    const factory = readHex(from, addressWords)
    const isStable = readWord(from) === 1
    return { factory, isStable, units: [readInteger(from), readInteger(from)] }
  },
  writeState(out, { reserve0, reserve1, fee, isPaused }) {
    writeWord(out, fee * 2 + Number(isPaused))
    writeInteger(out, reserve0)
    writeInteger(out, reserve1)
  },
  readState(from) {
    const head = readWord(from)
    const reserves = { reserve0: readInteger(from), reserve1: readInteger(from) }
    return { ...reserves, fee: head >>> 1, isPaused: (head & 1) === 1 }
  },
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has types of its own
export const poolCodecs: Record<PoolKind, PoolCodec<any, any>> = {
  'constant-product': constantProduct,
  weighted,
  stable,
  solidly,
  ...vaultV3Codecs,
  ...stableSwapCodecs,
  converter: converterCodec,
  ...concentratedCodecs,
}

function writeVaultPool(out: WordWriter, { vault, poolId, scales, isEarly }: Version): void {
  writeHex(out, vault, addressWords)
  writeHex(out, poolId, hashWords)
  writeWord(out, Number(isEarly))
  writeIntegers(out, scales)
}

function readVaultPool(from: WordReader): Version {
  const vault = readHex(from, addressWords)
  const poolId = readHex(from, hashWords)
  const isEarly = readWord(from) === 1
  return { vault, poolId, scales: readIntegers(from), isEarly }
}

function writeBalances(out: WordWriter, { holdings, fee, isPaused }: VaultBalances, isMoving: boolean): void {
  writeWord(out, Number(isPaused) + 2 * Number(isMoving))
  writeInteger(out, fee)
  writeWord(out, holdings.length)
  for (const { cash, managed } of holdings) {
    writeInteger(out, cash)
    writeInteger(out, managed)
  }
}

function readBalances(from: WordReader): { balances: VaultBalances; isMoving: boolean } {
  const flags = readWord(from)
  const fee = readInteger(from)
  const holdings = readList(readWord(from), from, () => ({
    cash: readInteger(from),
    managed: readInteger(from),
  }))
  return { balances: { holdings, fee, isPaused: (flags & 1) === 1 }, isMoving: (flags & 2) === 2 }
}

/** Their number, then per tick a word (index, size and sign of the net liquidity) and that liquidity. */
export function writeTicks(out: WordWriter, ticks: readonly Tick[]): void {
  writeWord(out, ticks.length)
  for (const { index, net } of ticks) {
    const at = out.length
    writeWord(out, 0)
    const count = writeMagnitude(out, net)
    out.words[at] = ((index + indexOffset) << indexShift) | (net < 0n ? signBit : 0) | count
  }
}

export function readTicks(from: WordReader): Tick[] {
  return readList(readWord(from), from, () => {
    const head = readWord(from)
    const index = (head >>> indexShift) - indexOffset
    const net = readMagnitude(from, head & countMask)
    return { index, sqrtPrice: prices.at(index), net: head & signBit ? -net : net }
  })
}

const indexShift = 8
const indexOffset = 2 ** 20
const signBit = 0x80
const countMask = 0x7f

/** Pools of equal spacing share their ticks. */
const prices = createSqrtPrices(8_000)

export function writeAddress(out: WordWriter, address: Address): void {
  writeHex(out, address, addressWords)
}

export function readAddress(from: WordReader): Address {
  return readHex(from, addressWords)
}
