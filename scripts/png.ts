import { crc32, deflateSync } from 'node:zlib'

/** Encodes a PNG with a palette of up to 256 colors. */
export function encodePng(rgba: Uint8Array, width: number): Buffer {
  const pixels = Array.from({ length: rgba.length / 4 }, (_, at) =>
    Buffer.from(rgba.subarray(at * 4, at * 4 + 4)).readUInt32BE(),
  )
  // tRNS may omit trailing opaque colors.
  const isOpaque = (colour: number) => (colour & 255) === 255
  const colours = [...new Set(pixels)].sort((one, other) => Number(isOpaque(one)) - Number(isOpaque(other)))
  if (colours.length > 256) throw new Error(`The picture has ${colours.length} colours; 256 have room.`)
  const places = new Map(colours.map((colour, place) => [colour, place]))
  const height = pixels.length / width
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...pixels.slice(y * width, (y + 1) * width).map((colour) => places.get(colour) ?? 0),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8-bit palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk(
      'PLTE',
      colours.flatMap((colour) => [colour >>> 24, (colour >>> 16) & 255, (colour >>> 8) & 255]),
    ),
    chunk(
      'tRNS',
      colours.filter((colour) => !isOpaque(colour)).map((colour) => colour & 255),
    ),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk('IEND', []),
  ])
}

function chunk(name: string, content: ArrayLike<number>): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(content)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
