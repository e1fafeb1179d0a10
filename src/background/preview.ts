import type { Chain } from '../chain/client.ts'
import type { Approval } from '../domain/approval.ts'
import type { Call, Preview } from '../domain/calls.ts'
import type { Address } from '../domain/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { callGas, callLimit, feeCap } from './fees.ts'
import type { Networks } from './networks.ts'

/** For a call that nobody can estimate and whose page names no gas: the fee on the screen is made with this. */
const usualGas = 500_000n

/** What the calls of a `send` would do, and what they cost, by the user's own node. */
export function createPreview({ networks }: { networks: Pick<Networks, 'chain'> }) {
  return async ({ ask, chainId }: Approval): Promise<Preview> => {
    if (ask.kind !== 'send') throw new WalletError('invalid-input', 'This request sends nothing.')
    const { account, calls } = ask
    const chain = await networks.chain(chainId)
    const [{ simulation, gas: used }, { maxFeePerGas }, first] = await Promise.all([
      chain.simulate(account, calls),
      chain.fees(),
      firstLimit(chain, account, calls),
      chain.verify(),
    ])
    // Only the first call meets the chain as it is now.
    const later = calls.slice(1).map((call, index) => laterLimit(call, used[index + 1]))
    const gas = later.reduce((sum, limit) => sum + limit, first)
    const networkFee = gas * maxFeePerGas
    return { simulation, networkFee, feeCap: feeCap(networkFee) }
  }
}

async function firstLimit(chain: Chain, from: Address, [first]: Call[]): Promise<bigint> {
  if (first === undefined) return 0n
  try {
    return await callGas(chain, from, first)
  } catch (error) {
    // The simulation tells the user why.
    if (!['reverted', 'not-enough-gas'].includes(toWalletError(error).code)) throw error
    return first.gas ?? usualGas
  }
}

function laterLimit({ gas: asked }: Call, used: bigint | undefined): bigint {
  return used === undefined ? (asked ?? usualGas) : callLimit(used, asked)
}
