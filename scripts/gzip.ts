import { gzipAsync } from '@gfx/zopfli'

/** JSON, packed as small as gzip can be: once per build, where it may take its time. The same bytes on every machine, unlike Node's zlib. */
export async function gzip(content: unknown): Promise<Buffer> {
  return Buffer.from(await gzipAsync(new TextEncoder().encode(JSON.stringify(content)), {}))
}
