import { readFileSync } from 'node:fs'
import type { Abi, Hex } from 'viem'

/** `bytecode` deploys the contract, `deployedBytecode` is its code on chain. */
export type Artifact = { abi: Abi; bytecode: Hex; deployedBytecode: Hex }

const here = new URL('./', import.meta.url)

/** Reads a contract of this folder, or another. Throws when it is not compiled. */
export function readArtifact(name: string, folder: URL = here): Artifact {
  const file = new URL(`./out/${name}.json`, folder)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`No compiled contract ${name}; \`npm run contracts\` compiles all of them.`, { cause })
  }
}
