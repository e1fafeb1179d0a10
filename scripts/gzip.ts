import { gzip as deflate } from 'pako'

/** JSON, packed. Node's own zlib gives other bytes in another version or on another processor. */
export function gzip(content: unknown): Buffer {
  return Buffer.from(deflate(JSON.stringify(content), { level: 9 }))
}
