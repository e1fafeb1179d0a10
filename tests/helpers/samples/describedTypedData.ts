import { describeTypedData } from '../../../src/domain/signing/describeTypedData.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import type { Address } from '../../../src/domain/token/token.ts'

export const address = (byte: string): Address => `0x${byte.repeat(20)}`
export const account = address('aa')
export const spender = address('5e')
export const token = address('70')
export const other = address('77')
export const nobody = address('00')
export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
export const now = 1_700_000_000_000
export const soon = 1_700_000_600
export const late = 1_700_090_000
export const context = { account, chainId: 1, now, origin: 'https://app.example' }
export const onChain = { kind: 'chain', chainId: 1n }
export const day = 86_400

export const members = (text: string) =>
  text.split(',').map((each) => {
    const [type = '', name = ''] = each.trim().split(' ')
    return { type, name }
  })

export function describeIt(
  structs: Record<string, string>,
  message: unknown,
  contract: string | undefined = token,
) {
  const types = Object.fromEntries(Object.entries(structs).map(([name, text]) => [name, members(text)]))
  const domain = { chainId: 1, ...(contract !== undefined && { verifyingContract: contract }) }
  const typedData = parseTypedData({ domain, types, primaryType: Object.keys(structs)[0], message })
  return describeTypedData(typedData, context)
}
