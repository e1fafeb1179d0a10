import type { AlgebraFixed } from '../pools/algebra.ts'
import type { AlgebraState } from '../pools/algebraState.ts'
import type { Concentrated, FeeTier } from '../pools/concentrated.ts'
import type { SlipstreamKey, SlipstreamState } from '../pools/slipstream.ts'
import type { ManagedPool, PoolKey } from '../pools/uniswapV4State.ts'
import type { PoolCodec } from './poolCodec.ts'
import {
  addressWords,
  readHex,
  readInteger,
  readWord,
  writeHex,
  writeInteger,
  writeWord,
} from './wordCodec.ts'

const concentrated: PoolCodec<FeeTier, Concentrated> = {
  writeFixed(out, { feePpm, tickSpacing }) {
    writeWord(out, feePpm)
    writeWord(out, tickSpacing)
  },
  readFixed: (from) => ({ feePpm: readWord(from), tickSpacing: readWord(from) }),
  writeState(out, { sqrtPrice, tick, liquidity }) {
    writeWord(out, tick)
    writeInteger(out, sqrtPrice)
    writeInteger(out, liquidity)
  },
  readState(from, ticks) {
    const tick = readWord(from) | 0
    return { sqrtPrice: readInteger(from), tick, liquidity: readInteger(from), ticks: ticks() }
  },
}

const uniswapV4: PoolCodec<PoolKey, ManagedPool> = {
  writeFixed(out, { manager, hooks, fee, tickSpacing, isNative }) {
    writeHex(out, manager, addressWords)
    writeHex(out, hooks, addressWords)
    writeWord(out, fee)
    writeWord(out, tickSpacing * 2 + Number(isNative))
  },
  readFixed(from) {
    const [manager, hooks] = [readHex(from, addressWords), readHex(from, addressWords)]
    const [fee, rest] = [readWord(from), readWord(from)]
    return { manager, hooks, fee, tickSpacing: rest >>> 1, isNative: (rest & 1) === 1 }
  },
  writeState(out, state) {
    writeWord(out, state.protocolFee)
    concentrated.writeState(out, state)
  },
  readState(from, ticks) {
    const protocolFee = readWord(from)
    return { ...concentrated.readState(from, ticks), protocolFee }
  },
}

const algebra: PoolCodec<AlgebraFixed, AlgebraState> = {
  writeFixed: () => undefined,
  readFixed: () => ({}),
  writeState(out, state) {
    writeWord(out, state.fee * 256 + state.config)
    concentrated.writeState(out, state)
  },
  readState(from, ticks) {
    const head = readWord(from)
    return { ...concentrated.readState(from, ticks), fee: head >>> 8, config: head & 255 }
  },
}

const slipstream: PoolCodec<SlipstreamKey, SlipstreamState> = {
  writeFixed(out, { factory, tickSpacing }) {
    writeHex(out, factory, addressWords)
    writeWord(out, tickSpacing)
  },
  readFixed: (from) => ({ factory: readHex(from, addressWords), tickSpacing: readWord(from) }),
  writeState(out, state) {
    writeHex(out, state.module, addressWords)
    writeWord(out, state.feePpm * 2 + Number(state.isMoving))
    writeWord(out, state.observations)
    concentrated.writeState(out, state)
  },
  readState(from, ticks) {
    const module = readHex(from, addressWords)
    const fee = readWord(from)
    const observations = readWord(from)
    const own = { feePpm: fee >>> 1, module, isMoving: (fee & 1) === 1, observations }
    return { ...own, ...concentrated.readState(from, ticks) }
  },
}

/** Of kinds whose ticks have a record of their own. */
export const concentratedCodecs = { concentrated, 'uniswap-v4': uniswapV4, algebra, slipstream }
