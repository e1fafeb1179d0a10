/** Reads for which a faster way is left after the RPC refused it: one odd error must not end it for good. */
export const pausedReads = 50

export type ReadPause = {
  begin(): void
  /** True while it lasts; counts a read. */
  passes(): boolean
}

export function createReadPause(): ReadPause {
  let left = 0
  return {
    begin() {
      left = pausedReads
    },
    passes() {
      if (left === 0) return false
      left--
      return true
    },
  }
}
