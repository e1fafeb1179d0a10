import type { StableSwapInfo, StableSwapState } from '../pools/stableSwap/stableSwapPool.ts'
import type { PoolCodec } from './poolCodec.ts'
import {
  readInteger,
  readIntegers,
  readList,
  readWord,
  writeInteger,
  writeIntegers,
  writeWord,
} from './wordCodec.ts'

const stableSwap: PoolCodec<StableSwapInfo, StableSwapState> = {
  writeFixed(out, { form, precision, decimals, hasRates, isFloating, nativeIndex }) {
    writeWord(out, (nativeIndex + 1) * 16 + form * 4 + Number(hasRates) * 2 + Number(isFloating))
    writeWord(out, precision)
    writeWord(out, decimals.length)
    for (const places of decimals) writeWord(out, places)
  },
  readFixed(from) {
    const [head, precision] = [readWord(from), readWord(from)]
    const decimals = readList(readWord(from), from, () => readWord(from))
    const [hasRates, isFloating] = [(head & 2) === 2, (head & 1) === 1]
    const nativeIndex = (head >>> 4) - 1
    return { form: (head >>> 2) & 3, precision, decimals, hasRates, isFloating, nativeIndex }
  },
  writeState(out, { isJoint, isUsable, isMoving, amplification, fee, adminFee, offpegMultiplier, ...rest }) {
    writeWord(out, Number(isJoint) * 4 + Number(isUsable) * 2 + Number(isMoving))
    for (const value of [amplification, fee, adminFee, offpegMultiplier]) writeInteger(out, value)
    writeIntegers(out, rest.balances)
    writeIntegers(out, rest.rates)
  },
  readState(from) {
    const head = readWord(from)
    return {
      ...{ isJoint: (head & 4) === 4, isUsable: (head & 2) === 2, isMoving: (head & 1) === 1 },
      ...{ amplification: readInteger(from), fee: readInteger(from) },
      ...{ adminFee: readInteger(from), offpegMultiplier: readInteger(from) },
      ...{ balances: readIntegers(from), rates: readIntegers(from) },
    }
  },
}

export const stableSwapCodecs = {
  curve: stableSwap,
  'curve-factory': stableSwap,
  'curve-ng': stableSwap,
  'pancake-stable': stableSwap,
}
