import { mayHoldSecret } from '../../domain/mayHoldSecret.ts'
import { type Address, parseAddress, type Token } from '../../domain/token/token.ts'

export type SendDraft = {
  chainId: number
  account: Address
  token: Address
  text: string
  isMost: boolean
  to: string
  handed?: Submitted | undefined
}

/** Resubmitting the same `plan` reuses the id, which the worker executes once. */
export type Submitted = { id: string; plan: string }

type Form = Pick<SendDraft, 'text' | 'isMost' | 'to' | 'handed'> & {
  chainId: number | undefined
  account: Address | undefined
  token: Token | undefined
}

/** Omits values that may be secrets pasted into the wrong field. */
export function toDraft({ chainId, account, token, text, isMost, to, handed }: Form): SendDraft | undefined {
  if (chainId === undefined || account === undefined || token === undefined) return undefined
  const [keptText = '', keptTo = ''] = [text, to].map((typed) => (mayHoldSecret(typed) ? '' : typed))
  const what = { chainId, account, token: token.address, text: keptText, isMost, to: keptTo }
  return { ...what, ...(handed && { handed }) }
}

/** Undefined for invalid data. */
export function readDraft(kept: unknown): SendDraft | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const { chainId, isMost, text, to, ...rest } = kept as Record<string, unknown>
  const [account, token] = [rest.account, rest.token].map((one) => parseAddress(String(one)))
  const isWhole = typeof chainId === 'number' && typeof text === 'string' && typeof to === 'string'
  if (!isWhole || account === undefined || token === undefined) return undefined
  const handed = readHanded(rest.handed)
  return { chainId, account, token, text, to, isMost: isMost === true, ...(handed && { handed }) }
}

function readHanded(kept: unknown): Submitted | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined
  const { id, plan } = kept as Record<string, unknown>
  return typeof id === 'string' && typeof plan === 'string' ? { id, plan } : undefined
}
