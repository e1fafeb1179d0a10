import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Artifact } from '../../../contracts/artifact.ts'
import { compileContracts } from '../../../contracts/compile.ts'

export async function compileFile<Name extends string>(
  file: string,
  names: readonly Name[],
): Promise<Record<Name, Artifact>> {
  const folder = await mkdtemp(join(tmpdir(), 'contracts-'))
  try {
    await copyFile(fileURLToPath(new URL(file, import.meta.url)), join(folder, file))
    await compileContracts(folder)
    const read = async (name: Name) => [
      name,
      JSON.parse(await readFile(join(folder, 'out', `${name}.json`), 'utf8')),
    ]
    return Object.fromEntries(await Promise.all(names.map(read)))
  } finally {
    await rm(folder, { recursive: true })
  }
}
