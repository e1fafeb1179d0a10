import JSZip from 'jszip'

/** Contents by path, separated by `/`. */
export type Files = ReadonlyMap<string, Uint8Array>

/**
 * Creates a reproducible zip: sorted, dated 1980, without folders or machine data, and compressed by a
 * library instead of Node's zlib.
 */
export function zip(files: Files): Promise<Uint8Array> {
  const archive = new JSZip()
  for (const [name, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    archive.file(name, content, { date: new Date(Date.UTC(1980, 0, 1)), createFolders: false })
  }
  return archive.generateAsync({
    type: 'uint8array',
    platform: 'DOS',
    compression: 'DEFLATE',
    compressionOptions: { level: 9 },
  })
}

/** Returns the first differing file. */
export function firstDifference(one: Files, other: Files): string | undefined {
  const names = [...new Set([...one.keys(), ...other.keys()])].sort()
  return names.find((name) => {
    const [here, there] = [one.get(name), other.get(name)]
    return !here || !there || Buffer.compare(here, there) !== 0
  })
}
