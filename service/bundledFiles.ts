import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'

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
