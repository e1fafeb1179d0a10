import { compileContracts } from '../../contracts/compile.ts'
import { prepareState } from '../../dev/chain/chainState.ts'

/** Built once, so that test workers start from saved states. */
export async function setup(): Promise<void> {
  await compileContracts()
  for (const chainId of [31337, 1, 8453]) await prepareState(chainId)
}
