import { compileContracts } from '../contracts/compile.ts'
import { prepareState } from '../dev/chainState.ts'

/** The worlds that the tests start, built once: workers that find them saved start in a fraction of a second. */
export async function setup(): Promise<void> {
  await compileContracts()
  for (const chainId of [31337, 1, 8453]) await prepareState(chainId)
}
