import { readMessage } from '../../signing/messageText.ts'
import { checkSiwe, parseSiwe, type SiweError } from '../../signing/siwe.ts'
import type { Address, Hex } from '../../token/token.ts'
import type { Risk } from './risk.ts'

type Context = { origin: string; account: Address; chainId: number; now: number }

/** Sites often put the same chain or address into every message. */
const small: ReadonlySet<SiweError> = new Set(['chain', 'uri'])

export function messageRisks(message: Hex, context: Context): Risk[] {
  const { kind, text } = readMessage(message)
  if (kind !== 'text') return [{ kind: 'message', doubt: kind, isGrave: true }]
  const siwe = parseSiwe(text)
  if (siwe === undefined) return []
  const { domain } = siwe
  return checkSiwe(siwe, context).map((fault) => ({
    kind: 'sign-in',
    fault,
    ...(domain !== undefined && { domain }),
    isGrave: !small.has(fault),
  }))
}
