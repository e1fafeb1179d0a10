import { readFileSync } from 'node:fs'
import type { Abi, Hex } from 'viem'

/** What the compiler made of one contract. `bytecode` deploys it; `deployedBytecode` is the code that then stands on chain. */
export type Artifact = { abi: Abi; bytecode: Hex; deployedBytecode: Hex }

/** The compiled contract called `name`, from contracts/out. Throws when it is not there: compile first. */
export function readArtifact(name: string): Artifact {
  const file = new URL(`./out/${name}.json`, import.meta.url)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`No compiled contract ${name}; \`npm run contracts\` compiles all of them.`, { cause })
  }
}
