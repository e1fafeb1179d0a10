import JSZip from 'jszip'

/** The files of a folder: their paths, with `/`, and what is in them. */
export type Files = ReadonlyMap<string, Uint8Array>

/**
 * The same bytes for the same files, whoever makes them, when and where: entries by their names, all of them from 1980 (the first day
 * that the format knows), no folders, no rights, nothing about the machine, and packed by a library rather than by Node's own zlib.
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

/** The first file that only one of them has, or that is not the same in both. */
export function firstDifference(one: Files, other: Files): string | undefined {
  const names = [...new Set([...one.keys(), ...other.keys()])].sort()
  return names.find((name) => {
    const [here, there] = [one.get(name), other.get(name)]
    return !here || !there || Buffer.compare(here, there) !== 0
  })
}
