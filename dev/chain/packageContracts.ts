import { fileURLToPath } from 'node:url'
import { readArtifact } from '../../contracts/artifact.ts'
import { compileContracts } from '../../contracts/compile.ts'
import type { Build } from './artifacts.ts'

const folder = new URL('../contracts/', import.meta.url)

/** Compiles contracts that packages hold as source only, with the settings of their authors. */
export function compilePackageContracts(): Promise<void> {
  return compileContracts(fileURLToPath(folder), { viaIR: false, optimizer: { enabled: true, runs: 200 } })
}

/** Throws when the contract is not compiled. */
export function readPackageContract(name: string): Build {
  const { abi, bytecode } = readArtifact(name, folder)
  return { abi, bytecode }
}
