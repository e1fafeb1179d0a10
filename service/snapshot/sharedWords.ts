/** Unsigned 32-bit words in shared memory. They only grow: rows and records keep their place. */
export type SharedWords = {
  buffer: SharedArrayBuffer
  /** A view of the words so far; views of a fixed length are as fast as on a plain buffer. */
  words: Uint32Array
}

/** TypeScript 7's library for ES2023 lacks growable buffers (ES2024), Node 20 has them. */
type GrowableBuffer = SharedArrayBuffer & { grow(bytes: number): void; readonly maxByteLength: number }
const Growable = SharedArrayBuffer as unknown as new (
  bytes: number,
  options: { maxByteLength: number },
) => GrowableBuffer

/** Reserves `maxWords` of address space; memory is used as it is written. */
export function createSharedWords(maxWords: number): SharedWords {
  const buffer = new Growable(firstBytes, { maxByteLength: maxWords * 4 })
  return { buffer, words: new Uint32Array(buffer, 0, firstBytes / 4) }
}

export function openSharedWords(buffer: SharedArrayBuffer): SharedWords {
  return { buffer, words: new Uint32Array(buffer, 0, buffer.byteLength / 4) }
}

/** Makes room for words up to `end`. Throws a RangeError beyond the maximum. */
export function growWords(shared: SharedWords, end: number): void {
  if (end <= shared.words.length) return
  const buffer = shared.buffer as GrowableBuffer
  if (end * 4 > buffer.maxByteLength) throw new RangeError('The pools exceed the memory reserved for them.')
  const wanted = Math.ceil(Math.max(end * 4, buffer.byteLength * growth) / firstBytes) * firstBytes
  buffer.grow(Math.min(wanted, buffer.maxByteLength))
  refreshWords(shared)
}

/** Extends the view to what another thread has added; called before an index beyond it is read. */
export function refreshWords(shared: SharedWords): Uint32Array {
  shared.words = new Uint32Array(shared.buffer, 0, shared.buffer.byteLength / 4)
  return shared.words
}

const firstBytes = 2 ** 16
const growth = 1.25
