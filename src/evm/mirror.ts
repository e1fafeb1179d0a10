import type { Address, Hex } from '../domain/token/token.ts'
import { type CallResult, multicall } from './multicall.ts'
import type { Rpc } from './rpc.ts'

/** mirrorERC721() and baseERC20() */
const mirrorData: Hex = '0x4ef41efc'
const baseData: Hex = '0x97e5311c'

/** Returns the ERC-7631 mirror. Each must name the other, so a token cannot claim a foreign collection. */
export async function readMirror(rpc: Rpc, token: Address): Promise<Address | undefined> {
  const mirror = readAddress((await multicall(rpc, [{ to: token, data: mirrorData }]))[0])
  if (mirror === undefined) return undefined
  const [base] = await multicall(rpc, [{ to: mirror, data: baseData }])
  return readAddress(base) === token ? mirror : undefined
}

function readAddress(returned: CallResult): Address | undefined {
  if (returned?.length !== 66 || !returned.startsWith(`0x${'0'.repeat(24)}`)) return undefined
  return `0x${returned.slice(26)}`
}
