import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'

/** Texts by path from the repository's root; defined by the build of one file (scripts/bundleService.ts). */
declare const serviceFiles: Readonly<Record<string, string>> | undefined

/** Returns the text that the build of one file holds for a path from the repository's root. */
export function bundledText(path: string): string | undefined {
  return typeof serviceFiles === 'undefined' ? undefined : serviceFiles[path]
}

/**
 * Reads a text file. In a service of one file, configs and token lists that are not on disk are those it was
 * built with, by their path from the working folder. Throws as `readFile`.
 */
export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const text = bundledText(relative(process.cwd(), file).replaceAll('\\', '/'))
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || text === undefined) throw error
    return text
  }
}

/** Returns the files of a folder, with those that the build of one file holds; none if there is no folder. */
export async function listTextFiles(folder: string): Promise<string[]> {
  const onDisk = await readdir(folder).catch(() => [])
  const held = typeof serviceFiles === 'undefined' ? [] : Object.keys(serviceFiles)
  const all = [...onDisk.map((name) => join(folder, name)), ...held]
  return [...new Set(all.filter((path) => relative(folder, path) === basename(path)))]
}
