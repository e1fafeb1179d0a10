import * as v from 'valibot'
import type { Call } from '../../../domain/activity/callBatch.ts'
import { type Address, type Hex, parseAddress } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'

// Schemas of pages' transactions. Unknown keys are ignored.

/** Any letter case, white space trimmed. */
export const addressSchema = v.pipe(
  v.string(),
  v.transform(parseAddress),
  v.custom<Address>((found) => found !== undefined, 'is not an address'),
)

/** Clients write leading zeros, against the standard. */
export const chainIdSchema = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.trim())], 'is not a chain id in hex'),
  v.check(isChainId, 'is not a chain id in hex'),
  v.transform(Number),
)

function isChainId(id: number | string): boolean {
  const isWritten = typeof id === 'number' || /^0x[0-9a-f]{1,13}$/i.test(id)
  return isWritten && Number.isSafeInteger(Number(id)) && Number(id) > 0
}

const bytes = v.pipe(
  v.string(),
  v.trim(),
  // Clients may write an empty string.
  v.regex(/^(0x([0-9a-f]{2})*)?$/i, 'is not hex'),
  v.transform((text) => (text === '' ? '0x' : text.toLowerCase()) as Hex),
)

const quantity = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^0x[0-9a-f]{1,64}$/i, 'is not a number in hex'),
  v.transform((text) => BigInt(text)),
)

/** Clients write null for absent values. */
function maybe<Shape extends v.GenericSchema>(shape: Shape) {
  return v.pipe(
    v.optional(v.nullable(shape)),
    v.transform((value) => value ?? undefined),
  )
}

/** Contract creations omit it, or write `null`, `""` or `"0x"`. */
const recipient = v.pipe(
  v.optional(v.nullable(v.string())),
  v.transform((text) => (/^(0x)?$/i.test(text?.trim() ?? '') ? undefined : (text ?? undefined))),
  v.optional(addressSchema),
)

const common = { to: recipient, data: maybe(bytes), value: maybe(quantity) }

/** Call of EIP-5792. */
export const callShape = v.object({ ...common, capabilities: v.optional(v.looseObject({})) })

/** Transaction of eth_sendTransaction (Ethereum execution API). */
export const transactionShape = v.object({
  ...common,
  from: maybe(addressSchema),
  input: maybe(bytes),
  gas: maybe(quantity),
  gasLimit: maybe(quantity),
  chainId: maybe(chainIdSchema),
  // Validated but unused: the wallet sets nonce and fees.
  nonce: maybe(quantity),
  gasPrice: maybe(quantity),
  maxFeePerGas: maybe(quantity),
  maxPriorityFeePerGas: maybe(quantity),
  accessList: maybe(v.array(v.object({ address: addressSchema, storageKeys: v.array(bytes) }))),
})

type Written = {
  to?: Address | undefined
  data?: Hex | undefined
  value?: bigint | undefined
  gas?: bigint | undefined
}

/** Throws `invalid-params` without target and data. */
export function toCall({ to, data = '0x', value = 0n, gas }: Written): Call {
  if (to === undefined && data === '0x')
    throw invalidParams('to', 'is missing, and there is no data to create a contract with')
  return { ...(to && { to }), data, value, ...(gas !== undefined && { gas }) }
}

export function invalidParams(field: string, what: string): WalletError {
  return new WalletError('invalid-params', `${field}: ${what}.`)
}
