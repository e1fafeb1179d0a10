import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'

export type Build = { abi: Abi; bytecode: Hex }

/** Reads `@uniswap/v2-core/build/UniswapV2Factory.json`, for example. */
export function readBuild(path: string): Build {
  const { abi, bytecode } = JSON.parse(readPackageFile(path))
  return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` }
}

/** As `forge build` writes it. */
export function readForgeBuild(path: string): Build {
  const { abi, bytecode } = JSON.parse(readPackageFile(path))
  return { abi, bytecode: bytecode.object }
}

export function readSplitBuild(folder: string, name: string): Build {
  const abi = JSON.parse(readPackageFile(`${folder}/abi/${name}.json`))
  const { creationCode } = JSON.parse(readPackageFile(`${folder}/bytecode/${name}.json`))
  return { abi, bytecode: creationCode }
}

export function readPackageFile(path: string): string {
  return readFileSync(createRequire(import.meta.url).resolve(path), 'utf8')
}
