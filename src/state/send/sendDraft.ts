import { mayHoldSecret } from '../../domain/mayHoldSecret.ts'
import { type Address, parseAddress, type Token } from '../../domain/token/token.ts'

/** What is kept of the form of a transfer for another popup. */
export type SendDraft = {
  chainId: number
  account: Address
  token: Address
  text: string
  isMost: boolean
  to: string
  handed?: Submitted | undefined
}

/**
 * A transfer that was handed over with `id`, and may have been taken though nobody said so: the same `plan` goes by the same id, which the
 * worker carries out once.
 */
export type Submitted = { id: string; plan: string }

type Form = Pick<SendDraft, 'text' | 'isMost' | 'to' | 'handed'> & {
  chainId: number | undefined
  account: Address | undefined
  token: Token | undefined
}

/** A recipient or an amount that may be a secret, pasted into the wrong field, is left out. */
export function toDraft({ chainId, account, token, text, isMost, to, handed }: Form): SendDraft | undefined {
  if (chainId === undefined || account === undefined || token === undefined) return undefined
  const [keptText = '', keptTo = ''] = [text, to].map((typed) => (mayHoldSecret(typed) ? '' : typed))
  const what = { chainId, account, token: token.address, text: keptText, isMost, to: keptTo }
  return { ...what, ...(handed && { handed }) }
}

/** As it was written; undefined for anything else. */
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
