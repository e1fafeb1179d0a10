import { gzipAsync } from '@gfx/zopfli'

/** Compresses JSON as far as possible. Identical on every machine, unlike Node's zlib. */
export async function gzip(content: unknown): Promise<Buffer> {
  return Buffer.from(await gzipAsync(new TextEncoder().encode(JSON.stringify(content)), {}))
}
