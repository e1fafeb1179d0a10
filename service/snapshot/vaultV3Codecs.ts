import type { AmplifiedV3 } from '../pools/stableV3.ts'
import type { VaultV3Pool, VaultV3State } from '../pools/vaultV3.ts'
import type { WeightsV3 } from '../pools/weightedV3.ts'
import type { PoolCodec } from './poolCodec.ts'
import {
  addressWords,
  readHex,
  readInteger,
  readIntegers,
  readWord,
  type WordReader,
  type WordWriter,
  writeHex,
  writeInteger,
  writeIntegers,
  writeWord,
} from './wordCodec.ts'

const weightedV3: PoolCodec<WeightsV3, VaultV3State> = {
  writeFixed(out, fixed) {
    writeVaultV3Pool(out, fixed)
    writeIntegers(out, fixed.weights)
    writeIntegers(out, fixed.minBalances)
  },
  readFixed(from) {
    const pool = readVaultV3Pool(from)
    return { ...pool, weights: readIntegers(from), minBalances: readIntegers(from) }
  },
  writeState: writeVaultV3State,
  readState: readVaultV3State,
}

const stableV3: PoolCodec<VaultV3Pool, AmplifiedV3> = {
  writeFixed: writeVaultV3Pool,
  readFixed: readVaultV3Pool,
  writeState(out, state) {
    writeVaultV3State(out, state)
    writeInteger(out, state.amplification)
  },
  readState: (from) => ({ ...readVaultV3State(from), amplification: readInteger(from) }),
}

/** Pools of Balancer's v3 vault. */
export const vaultV3Codecs = { 'weighted-v3': weightedV3, 'stable-v3': stableV3 }

function writeVaultV3Pool(out: WordWriter, { vault, scales, minTrade }: VaultV3Pool): void {
  writeHex(out, vault, addressWords)
  writeIntegers(out, scales)
  writeInteger(out, minTrade)
}

function readVaultV3Pool(from: WordReader): VaultV3Pool {
  return { vault: readHex(from, addressWords), scales: readIntegers(from), minTrade: readInteger(from) }
}

function writeVaultV3State(out: WordWriter, state: VaultV3State): void {
  writeWord(out, Number(state.isClosed) + 2 * Number(state.isRestless))
  writeInteger(out, state.fee)
  writeInteger(out, state.aggregateFee)
  writeIntegers(out, state.balances)
  writeIntegers(out, state.rates)
}

function readVaultV3State(from: WordReader): VaultV3State {
  const flags = readWord(from)
  const [fee, aggregateFee] = [readInteger(from), readInteger(from)]
  const [balances, rates] = [readIntegers(from), readIntegers(from)]
  return { balances, rates, fee, aggregateFee, isClosed: (flags & 1) === 1, isRestless: (flags & 2) === 2 }
}
