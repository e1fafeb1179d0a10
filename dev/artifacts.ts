import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

/** What a package publishes of a compiled contract. */
export type Build = { abi: Abi; bytecode: Hex }

/** The contract in a package's JSON, such as `@uniswap/v2-core/build/UniswapV2Factory.json`. */
export function readBuild(path: string): Build {
  const { abi, bytecode } = JSON.parse(readPackageFile(path))
  return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` }
}

/** The same where the package keeps abi and code in files of their own. */
export function readSplitBuild(folder: string, name: string): Build {
  const abi = JSON.parse(readPackageFile(`${folder}/abi/${name}.json`))
  const { creationCode } = JSON.parse(readPackageFile(`${folder}/bytecode/${name}.json`))
  return { abi, bytecode: creationCode }
}

/** The text of any file of an installed package. */
export function readPackageFile(path: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')
}
