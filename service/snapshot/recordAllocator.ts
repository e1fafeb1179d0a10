import { growWords, type SharedWords } from './sharedWords.ts'

/** Places records in shared memory, and reuses their room once no version refers to them. */
export type RecordAllocator = {
  /** Returns the offset of `length` words with undefined content; never 0. */
  allocate(length: number): number
  /** Frees a record that no version refers to. */
  free(offset: number, length: number): void
  /** Frees a record once versions up to `lastVersion` are gone. */
  retire(offset: number, length: number, lastVersion: number): void
  /** Frees what only versions before `oldestVersion` refer to, at most `maxFreed` records a call. */
  collect(oldestVersion: number): void
  usedWords(): number
}

/**
 * Creates an allocator with a free list per size; sizes are rounded up by at most an eighth. Records change
 * in size rarely, so free room stays small without compaction.
 */
export function createRecordAllocator(records: SharedWords): RecordAllocator {
  let end = 1
  let freeWords = 0
  const freeOffsets = new Map<number, number[]>()
  /** Offset, length and last version of each, in order of versions. */
  let retired: number[] = []

  function free(offset: number, length: number): void {
    const size = roundUp(length)
    freeWords += size
    const offsets = freeOffsets.get(size)
    if (offsets === undefined) freeOffsets.set(size, [offset])
    else offsets.push(offset)
  }

  return {
    allocate(length) {
      const size = roundUp(length)
      const reused = freeOffsets.get(size)?.pop()
      if (reused !== undefined) {
        freeWords -= size
        return reused
      }
      growWords(records, end + size)
      end += size
      return end - size
    },
    free,
    retire(offset, length, lastVersion) {
      retired.push(offset, length, lastVersion)
    },
    collect(oldestVersion) {
      let i = 0
      const until = Math.min(retired.length, 3 * maxFreed)
      for (; i < until && (retired[i + 2] as number) < oldestVersion; i += 3) {
        free(retired[i] as number, retired[i + 1] as number)
      }
      if (i > 0) retired = retired.slice(i)
    },
    usedWords: () => end - freeWords,
  }
}

/** Two milliseconds; a block changes far fewer, and what is left is freed with the next ones. */
const maxFreed = 20_000

function roundUp(length: number): number {
  const step = length < 16 ? 2 : 2 ** (28 - Math.clz32(length - 1))
  return Math.ceil(length / step) * step
}
