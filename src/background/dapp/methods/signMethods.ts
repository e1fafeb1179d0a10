import { hashMessage, stringToHex } from 'viem'
import { recover } from '../../../domain/signing/signature.ts'
import { parseTypedData } from '../../../domain/signing/typedData.ts'
import { type Hex, parseAddress } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'
import type { Approvals } from '../../approvals/approvals.ts'
import type { Sites } from '../connectedSites.ts'
import type { RpcHandler } from '../router.ts'

type Deps = {
  sites: Pick<Sites, 'chain' | 'permitted'>
  approvals: Pick<Approvals, 'ask'>
}

/** Signing methods. Requests are validated before the user is asked. */
export function signMethods({ sites, approvals }: Deps): Record<string, RpcHandler> {
  return {
    /** `[message, address]`; swapped by pages written for `eth_sign`. */
    async personal_sign(asker, params) {
      const [address, text] = addressFirst(params, 1)
      const message = toBytes(text)
      const account = await sites.permitted(asker.origin, address)
      const chainId = await sites.chain(asker.origin)
      return approvals.ask(asker, { kind: 'sign-message', account, message }, { chainId })
    },

    async eth_signTypedData_v4(asker, params) {
      const [address, data] = addressFirst(params, 0)
      const account = await sites.permitted(asker.origin, address)
      const typedData = parseTypedData(data)
      const chainId = await sites.chain(asker.origin)
      const named = typedData.domain.chainId
      if (named !== undefined && named !== BigInt(chainId)) {
        throw invalid(`domain.chainId: is ${named}, but the active chain is ${chainId}.`)
      }
      return approvals.ask(asker, { kind: 'sign-typed-data', account, typedData }, { chainId })
    },

    async personal_ecRecover(_asker, params) {
      const [text, signature] = toList(params)
      const digest = hashMessage({ raw: toBytes(text) })
      const account = isHex(signature) ? recover(digest, signature) : undefined
      if (account === undefined) throw invalid('signature: is not r, s and v in 65 bytes of hex.')
      return account
    },
  }
}

/** The address is at `place`, else at the other position. */
function addressFirst(params: unknown, place: 0 | 1): [string, unknown] {
  const list = toList(params)
  for (const at of [place, 1 - place]) {
    const address = list[at]
    if (typeof address === 'string' && parseAddress(address)) return [address, list[1 - at]]
  }
  throw invalid('address: is missing.')
}

/** More than a user reads, yet fast to hash. */
const maxBytes = 100_000

/** Hex as bytes, other text as UTF-8. */
function toBytes(text: unknown): Hex {
  if (typeof text !== 'string') throw invalid('message: is not a text.')
  // Two digits per byte, after 0x.
  const isTooLong = ({ length }: string) => length > 2 + 2 * maxBytes
  const bytes = isTooLong(text) || isHex(text) ? text : stringToHex(text)
  if (isTooLong(bytes)) throw invalid(`message: has more than ${maxBytes} bytes.`)
  return bytes.toLowerCase() as Hex
}

function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)
}

function toList(params: unknown): unknown[] {
  if (Array.isArray(params)) return params
  throw invalid('params: is not a list.')
}

function invalid(message: string): WalletError {
  return new WalletError('invalid-params', message)
}
