import * as v from 'valibot'
import { type Address, nativeTokenAddress, parseAddress } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'

/** Tokens and amounts are trimmed text. */
export type SwapParams = v.InferOutput<typeof shape>

/** Parses the params. Throws `invalid-params` naming the first invalid field. The caller checks `expiry`. */
export function parseSwapParams(params: unknown): SwapParams {
  const result = v.safeParse(shape, getRequest(params))
  if (!result.success) {
    const [{ path, message }] = result.issues
    throw invalidParam(String(path?.[0].key ?? 'params'), message)
  }
  const { token, pairToken, type, amount, minReceived, chainId } = result.output
  if (amount !== undefined && token === undefined) throw invalidParam('amount', 'needs a token to be about')
  if (minReceived !== undefined) {
    if (type === 'buy') throw invalidParam('minReceived', 'has no meaning when the bought amount is exact')
    if (pairToken === undefined)
      throw invalidParam('minReceived', 'needs pairToken, the token that is bought')
  }
  if (chainId !== undefined) readTokens(result.output, chainId)
  return result.output
}

/** Parses the tokens. Throws `invalid-params` for another chain's or equal tokens. */
export function readTokens(
  { token, pairToken }: Pick<SwapParams, 'token' | 'pairToken'>,
  chainId: number,
): { token: Address | undefined; pairToken: Address | undefined } {
  const tokens = {
    token: readToken('token', token, chainId),
    pairToken: readToken('pairToken', pairToken, chainId),
  }
  if (tokens.token !== undefined && tokens.token === tokens.pairToken) {
    throw invalidParam('pairToken', 'is the same token')
  }
  return tokens
}

/** Converts to base units. Throws `invalid-params` for too many fraction digits. */
export function readAmount(field: string, text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > decimals) {
    throw invalidParam(field, `has ${fraction.length} fraction digits, and the token has ${decimals}`)
  }
  const amount = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (amount >= 2n ** 256n) throw invalidParam(field, 'is more than any token has')
  return amount
}

export function invalidParam(field: string, what: string): WalletError {
  return new WalletError('invalid-params', `${field}: ${what}.`, { field })
}

/** Clients may send an empty list. */
function getRequest(params: unknown): unknown {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params) || params.length > 1) {
    throw invalidParam('params', 'is not a list of one swap request')
  }
  const [request = {}] = params
  // To the schema, a list is an empty object.
  if (Array.isArray(request)) throw invalidParam('params', 'is not an object')
  return request ?? {}
}

// CAIP-19: by contract, or by SLIP-44 number for the native token.
const caip19 = /^eip155:(\d{1,15})\/(?:erc20:(0x[0-9a-fA-F]{40})|slip44:60)$/

function readToken(field: string, text: string | undefined, chainId: number): Address | undefined {
  if (text === undefined) return undefined
  const parts = caip19.exec(text)
  if (parts === null) return parseAddress(text)
  const [, chain, contract] = parts
  if (Number(chain) !== chainId) throw invalidParam(field, `is a token of another chain than ${chainId}`)
  return contract === undefined ? nativeTokenAddress : parseAddress(contract)
}

const tokenText = v.pipe(
  v.string('is not an address'),
  v.trim(),
  v.check(
    (text) => /^0x[0-9a-fA-F]{40}$/.test(text) || caip19.test(text),
    'is neither an address nor a CAIP-19 token',
  ),
)

const amountText = v.pipe(
  v.string('is not a decimal string'),
  v.trim(),
  v.check(
    (text) => text.length <= 200 && /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text),
    'is not a decimal string above zero',
  ),
)

/** Basis points, rounded down to stay within the page's limit, except float errors (0.0029 is 28.999…). */
const slippage = v.pipe(
  v.number('is not a number'),
  v.check((share) => share >= 0.0001 && share <= 1, 'is not between 0.0001 and 1'),
  v.transform((share) => Math.floor(share * 10_000 + 1e-6)),
)

const chain = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.trim())], 'is not a chain id, as a hex string or a number'),
  v.check(
    (id) => typeof id === 'number' || /^0x[0-9a-fA-F]{1,14}$/.test(id),
    'is not a chain id, as a hex string or a number',
  ),
  v.check((id) => Number.isSafeInteger(Number(id)) && Number(id) > 0, 'is not a chain id above zero'),
  v.transform(Number),
)

const account = v.pipe(
  v.string('is not an address'),
  v.trim(),
  v.check((text) => /^0x[0-9a-fA-F]{40}$/.test(text), 'is not an address'),
  v.transform((text) => text.toLowerCase() as Address),
)

/** Year 5138; later values are milliseconds. */
const latestSecond = 1e11

const shape = v.strictObject(
  {
    token: v.optional(tokenText),
    pairToken: v.optional(tokenText),
    type: v.optional(v.picklist(['sell', 'buy'], 'is neither "sell" nor "buy"'), 'sell'),
    amount: v.optional(amountText),
    slippage: v.optional(slippage),
    chainId: v.optional(chain),
    from: v.optional(account),
    minReceived: v.optional(amountText),
    expiry: v.optional(
      v.pipe(
        v.number('is not a number'),
        v.safeInteger('is not in whole seconds'),
        v.check((seconds) => seconds < latestSecond, 'is not in seconds'),
      ),
    ),
    id: v.optional(
      v.pipe(
        v.string('is not a string'),
        v.check((text) => text.length >= 1 && text.length <= 128, 'is not 1 to 128 characters long'),
      ),
    ),
  },
  ({ expected }) => (expected === 'never' ? 'is no field of a swap request' : 'is not an object'),
)
