import * as v from 'valibot'
import type { Call } from '../../domain/activity/callBatch.ts'
import { type Address, type Hex, parseAddress } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'

// What pages write of the transactions they ask for. Keys that are not read are the wallet's own business, or nobody's.

/** An address in any letter case, white space around it or not. */
export const addressSchema = v.pipe(
  v.string(),
  v.transform(parseAddress),
  v.custom<Address>((found) => found !== undefined, 'is not an address'),
)

/** Hex without leading zeros is what the standard says; clients write them all the same. */
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
  // Some clients write no bytes as an empty text.
  v.regex(/^(0x([0-9a-f]{2})*)?$/i, 'is not hex'),
  v.transform((text) => (text === '' ? '0x' : text.toLowerCase()) as Hex),
)

const quantity = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^0x[0-9a-f]{1,64}$/i, 'is not a number in hex'),
  v.transform((text) => BigInt(text)),
)

/** Clients write null for what they leave out. */
function maybe<Shape extends v.GenericSchema>(shape: Shape) {
  return v.pipe(
    v.optional(v.nullable(shape)),
    v.transform((value) => value ?? undefined),
  )
}

/** Clients that create a contract leave it out, or write `null`, `""` or `"0x"`. */
const recipient = v.pipe(
  v.optional(v.nullable(v.string())),
  v.transform((text) => (/^(0x)?$/i.test(text?.trim() ?? '') ? undefined : (text ?? undefined))),
  v.optional(addressSchema),
)

const common = { to: recipient, data: maybe(bytes), value: maybe(quantity) }

/** One call of EIP-5792. */
export const callShape = v.object({ ...common, capabilities: v.optional(v.looseObject({})) })

/** The transaction of eth_sendTransaction (Ethereum execution API), as far as the wallet listens to the page. */
export const transactionShape = v.object({
  ...common,
  from: maybe(addressSchema),
  input: maybe(bytes),
  gas: maybe(quantity),
  gasLimit: maybe(quantity),
  chainId: maybe(chainIdSchema),
  // Read only to be refused when they are wrong: the wallet keeps nonces in order, and fees honest.
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

/** Throws `invalid-params` for a call that goes nowhere and creates nothing. */
export function toCall({ to, data = '0x', value = 0n, gas }: Written): Call {
  if (to === undefined && data === '0x')
    throw invalidParams('to', 'is missing, and there is no data to create a contract with')
  return { ...(to && { to }), data, value, ...(gas !== undefined && { gas }) }
}

export function invalidParams(field: string, what: string): WalletError {
  return new WalletError('invalid-params', `${field}: ${what}.`)
}
