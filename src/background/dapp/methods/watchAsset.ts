import * as v from 'valibot'
import { sanitizeText } from '../../../domain/sanitize.ts'
import { type Address, isNative, maxSymbol, parseAddress, type Token } from '../../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../../errors.ts'
import type { Approvals, Executor } from '../../approvals/approvals.ts'
import type { Networks } from '../../networks/networks.ts'
import type { CustomTokens } from '../../tokens/customTokens.ts'
import type { Sites } from '../connectedSites.ts'
import type { RpcHandler } from '../router.ts'
import { parseParams } from './params.ts'

type Deps = {
  sites: Pick<Sites, 'view'>
  approvals: Pick<Approvals, 'ask' | 'checkFree'>
  networks: Pick<Networks, 'chain'>
  assets: Pick<CustomTokens, 'isOf'>
}

/** `wallet_watchAsset` (EIP-747). Metadata comes from the contract; a page's image is never fetched. */
export function assetMethods({ sites, approvals, networks, assets }: Deps): Record<string, RpcHandler> {
  return {
    async wallet_watchAsset(asker, params) {
      const { options } = parseParams(shape, Array.isArray(params) ? params[0] : params)
      const { accounts, chainId } = await sites.view(asker.origin)
      await approvals.checkFree(asker, 'watch-asset')
      const token = await readToken(networks, chainId, options.address)
      compare(options, token)
      // A site learns only of tokens that it added.
      if (accounts.length > 0 && (await assets.isOf(asker.origin, chainId, token.address))) return true
      await approvals.ask(asker, { kind: 'watch-asset', token }, { chainId })
      return true
    },
  }
}

/** Adds the token to the chain of the request. */
export function addAsset(assets: Pick<CustomTokens, 'add'>): Executor {
  return async ({ ask, chainId, origin }) => {
    if (ask.kind === 'watch-asset') await assets.add(chainId, ask.token, origin)
  }
}

const shape = v.object({
  type: v.literal('ERC20', 'is not ERC20, the only kind of asset that is watched'),
  options: v.object({
    address: v.pipe(
      v.unknown(),
      v.transform((value) => (typeof value === 'string' ? parseAddress(value) : undefined)),
      v.custom<Address>(
        (found) => found !== undefined && !isNative(found as Address),
        'is not the address of a token',
      ),
    ),
    symbol: v.exactOptional(v.string()),
    // Some pages send text.
    decimals: v.exactOptional(v.union([v.number(), v.pipe(v.string(), v.trim(), v.regex(/^\d+$/))])),
  }),
})

type Said = v.InferOutput<typeof shape>['options']

async function readToken(networks: Deps['networks'], chainId: number, address: Address): Promise<Token> {
  const chain = await networks.chain(chainId)
  try {
    return await chain.token(address)
  } catch (error) {
    if (toWalletError(error).code !== 'unknown-token') throw error
    throw invalid('address', `is not a token on chain ${chainId}`)
  }
}

/** A mismatch means another token, or an attack. */
function compare({ symbol, decimals }: Said, token: Token): void {
  // Sanitized like the contract's symbol.
  if (symbol !== undefined && sanitizeText(symbol, maxSymbol).toLowerCase() !== token.symbol.toLowerCase()) {
    throw invalid('symbol', `is ${token.symbol} by the token's contract`)
  }
  if (decimals !== undefined && Number(decimals) !== token.decimals) {
    throw invalid('decimals', `are ${token.decimals} by the token's contract`)
  }
}

function invalid(field: string, what: string): WalletError {
  return new WalletError('invalid-params', `options.${field}: ${what}.`)
}
