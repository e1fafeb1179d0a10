import * as z from 'zod/mini'
import { type Address, native, parseAddress } from '../../domain/token.ts'
import { WalletError } from '../../errors.ts'

/** What a page sent with `wallet_swap`, each field by itself a good one. Tokens and amounts are still its text. */
export type SwapParams = z.infer<typeof shape>

/**
 * Reads the params of `wallet_swap`: none, or one request. Throws `invalid-params` naming the first field that is wrong. Whether
 * `expiry` is past is left to the caller.
 */
export function parseSwapParams(params: unknown): SwapParams {
  const result = shape.safeParse(requestOf(params))
  if (!result.success) {
    const [issue] = result.error.issues
    if (issue?.code === 'unrecognized_keys') {
      throw invalidParam(issue.keys[0] ?? 'params', 'is no field of a swap request')
    }
    throw invalidParam(String(issue?.path[0] ?? 'params'), issue?.message ?? 'is not a swap request')
  }
  const { token, pairToken, type, amount, minReceived, chainId } = result.data
  if (amount !== undefined && token === undefined) throw invalidParam('amount', 'needs a token to be about')
  if (minReceived !== undefined) {
    if (type === 'buy') throw invalidParam('minReceived', 'has no meaning when the bought amount is exact')
    if (pairToken === undefined)
      throw invalidParam('minReceived', 'needs pairToken, the token that is bought')
  }
  if (chainId !== undefined) readTokens(result.data, chainId)
  return result.data
}

/** The tokens of a request for `chainId`. Throws `invalid-params` for one of another chain, and when both are the same. */
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

/** A decimal string in base units. Throws `invalid-params` for more fraction digits than the token has. */
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

/** Clients send an empty list, or one of nothing, when they have nothing to say. */
function requestOf(params: unknown): unknown {
  if (params === undefined || params === null) return {}
  if (!Array.isArray(params) || params.length > 1) {
    throw invalidParam('params', 'is not a list of one swap request')
  }
  return params[0] ?? {}
}

// CAIP-19: a token by its contract, or the chain's own coin by its SLIP-44 number.
const caip19 = /^eip155:(\d{1,15})\/(?:erc20:(0x[0-9a-fA-F]{40})|slip44:60)$/

function readToken(field: string, text: string | undefined, chainId: number): Address | undefined {
  if (text === undefined) return undefined
  const parts = caip19.exec(text)
  if (parts === null) return parseAddress(text)
  const [, chain, contract] = parts
  if (Number(chain) !== chainId) throw invalidParam(field, `is a token of another chain than ${chainId}`)
  return contract === undefined ? native : parseAddress(contract)
}

const tokenText = z
  .string({ error: 'is not an address' })
  .check(
    z.refine(
      (text) => /^0x[0-9a-fA-F]{40}$/.test(text) || caip19.test(text),
      'is neither an address nor a CAIP-19 token',
    ),
  )

const amountText = z
  .string({ error: 'is not a decimal string' })
  .check(
    z.refine(
      (text) => text.length <= 200 && /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text),
      'is not a decimal string above zero',
    ),
  )

/**
 * Hundredths of a percent, rounded down; a float's last bit is no reason to lose one (0.0029 is 28.999…). The wallet knows no finer
 * ones: rounded up, it would be more than the page allows.
 */
const slippage = z.pipe(
  z
    .number({ error: 'is not a number' })
    .check(z.refine((share) => share >= 0.0001 && share <= 1, 'is not between 0.0001 and 1')),
  z.transform((share) => Math.floor(share * 10_000 + 1e-6)),
)

const chain = z.pipe(
  z.union([z.number(), z.string()], { error: 'is not a chain id, as a hex string or a number' }).check(
    z.refine(
      (id) => typeof id === 'number' || /^0x[0-9a-fA-F]{1,14}$/.test(id),
      'is not a chain id, as a hex string or a number',
    ),
    z.refine((id) => Number.isSafeInteger(Number(id)) && Number(id) > 0, 'is not a chain id above zero'),
  ),
  z.transform(Number),
)

const account = z.pipe(
  z
    .string({ error: 'is not an address' })
    .check(z.refine((text) => /^0x[0-9a-fA-F]{40}$/.test(text), 'is not an address')),
  z.transform((text) => text.toLowerCase() as Address),
)

/** The year 5138. What is later was written in milliseconds. */
const latestSecond = 1e11

const shape = z.strictObject(
  {
    token: z.optional(tokenText),
    pairToken: z.optional(tokenText),
    type: z._default(z.enum(['sell', 'buy'], { error: 'is neither "sell" nor "buy"' }), 'sell'),
    amount: z.optional(amountText),
    slippage: z.optional(slippage),
    chainId: z.optional(chain),
    from: z.optional(account),
    minReceived: z.optional(amountText),
    expiry: z.optional(
      z.number({ error: 'is not a number' }).check(
        z.refine(Number.isSafeInteger, 'is not in whole seconds'),
        z.refine((seconds) => seconds < latestSecond, 'is not in seconds'),
      ),
    ),
    id: z.optional(
      z
        .string({ error: 'is not a string' })
        .check(z.refine((text) => text.length >= 1 && text.length <= 128, 'is not 1 to 128 characters long')),
    ),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'is not an object' : undefined) },
)
