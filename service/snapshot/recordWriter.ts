import { writeText } from './poolRecord.ts'
import type { RecordAllocator } from './recordAllocator.ts'
import type { SharedWords } from './sharedWords.ts'
import { createWordWriter, type WordWriter } from './wordCodec.ts'

/** Writes records of which several pools share some: a record is made in `out` first. */
export type RecordWriter = {
  out: WordWriter
  /** Returns the offset of a copy of `out`. */
  store(): number
  /** True if `out` is, from word `from` on, what the record at `offset` has there. */
  isEqual(offset: number, from: number): boolean
  /** Returns the offset of a source's name, which is written once. Uses `out`. */
  sourceOf(source: string): number
}

export function createRecordWriter(
  records: SharedWords,
  allocator: Pick<RecordAllocator, 'allocate'>,
): RecordWriter {
  const out = createWordWriter()
  const sources = new Map<string, number>()

  function store(): number {
    const { words, length } = out
    const offset = allocator.allocate(length)
    records.words.set(words.subarray(0, length), offset)
    return offset
  }

  return {
    out,
    store,

    isEqual(offset, from) {
      const { words } = records
      for (let i = from; i < out.length; i++) if (words[offset + i] !== out.words[i]) return false
      return true
    },

    sourceOf(source) {
      const known = sources.get(source)
      if (known !== undefined) return known
      out.length = 0
      writeText(out, source)
      const offset = store()
      sources.set(source, offset)
      return offset
    },
  }
}
