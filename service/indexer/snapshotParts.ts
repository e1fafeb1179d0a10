import type { createInflate } from 'node:zlib'

/** A part after its length, as a snapshot holds it. */
export function measured(part: Buffer): [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(part.length)
  return [length, part]
}

/** Returns the parts of a deflated body. Throws where a part, or all together, are too large. */
export async function* readParts(body: Buffer, inflate: typeof createInflate): AsyncGenerator<Buffer> {
  yield* split(inflated(body, inflate))
}

const maxInflatedBytes = 256 * 2 ** 20
/** Pools compress to about a half, as addresses are random; prevents zip bombs. */
const maxRatio = 20
/** Held in memory; written at most half as large. */
const maxPartBytes = 32 * 2 ** 20

async function* inflated(body: Buffer, inflate: typeof createInflate): AsyncGenerator<Buffer> {
  const most = Math.min(maxInflatedBytes, 2 ** 20 + maxRatio * body.length)
  let size = 0
  // The consuming loop destroys it when it ends early.
  const inflating = inflate()
  inflating.end(body)
  for await (const piece of inflating as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > most) throw new Error(`It inflates to more than ${most} bytes.`)
    yield piece
  }
}

async function* split(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  let wanted: number | undefined

  const take = (length: number): Buffer => {
    const all = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held)
    held = [all.subarray(length)]
    size -= length
    return all.subarray(0, length)
  }
  for await (const piece of pieces) {
    held.push(piece)
    size += piece.length
    for (;;) {
      if (wanted === undefined) {
        if (size < 4) break
        wanted = take(4).readUInt32LE()
        if (wanted === 0 || wanted > maxPartBytes) throw new Error(`It has a part of ${wanted} bytes.`)
      }
      if (size < wanted) break
      yield take(wanted)
      wanted = undefined
    }
  }
  if (size > 0 || wanted !== undefined) throw new Error('It ends in the middle of a part.')
}
