import { fileURLToPath } from 'node:url'
import { readArtifact } from '../../contracts/artifact.ts'
import { compileContracts } from '../../contracts/compile.ts'
import type { Build } from './artifacts.ts'

const folder = new URL('../contracts/', import.meta.url)
/** Sources of Solidity 0.7. */
const oldFolder = new URL('../oldContracts/', import.meta.url)

/** Compiles contracts that packages hold as source only, with the settings of their authors. */
export async function compilePackageContracts(): Promise<void> {
  const optimizer = { enabled: true, runs: 200 }
  await compileContracts(fileURLToPath(folder), { viaIR: false, optimizer })
  await compileContracts(fileURLToPath(oldFolder), {
    ...{ compiler: 'solc-0.7', viaIR: undefined, evmVersion: 'istanbul', optimizer },
    metadata: { bytecodeHash: 'none' },
  })
}

/** Throws when the contract is not compiled. */
export function readPackageContract(name: string): Build {
  const { abi, bytecode } = readArtifact(name, folder)
  return { abi, bytecode }
}

/** Throws when the contract, in Solidity 0.7, is not compiled. */
export function readOldContract(name: string): Build {
  const { abi, bytecode } = readArtifact(name, oldFolder)
  return { abi, bytecode }
}
