import type { Tick } from '../pools/math/ticks.ts'
import type { WordReader, WordWriter } from './wordCodec.ts'

/** How the parameters and the state of a kind are written, ticks aside. */
export type PoolCodec<Fixed, State> = {
  writeFixed(out: WordWriter, fixed: Fixed): void
  readFixed(from: WordReader): Fixed
  writeState(out: WordWriter, state: State): void
  readState(from: WordReader, ticks: () => readonly Tick[]): State
}
