import type { DappRequest } from '../../domain/dapp/approval.ts'
import type { Address } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Executor } from '../approvals/approvals.ts'
import type { SettingsStore } from '../settings.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import type { Sites } from './connectedSites.ts'

type Deps = {
  sites: Pick<Sites, 'permitted'>
  settings: Pick<SettingsStore, 'get'>
  intents: Pick<TransactionQueue, 'find'>
}

/**
 * Checks permissions again, as they may be revoked before the decision. Throws `not-connected`, or
 * `unsupported-method` if page swaps are off.
 */
export function withPermissionCheck({ sites, settings, intents }: Deps, carryOut: Executor): Executor {
  return async (approval, decision, at) => {
    const { id, origin, ask } = approval
    const account = getAccount(ask)
    const intentId = decision.kind === 'swap' ? decision.intent.id : id
    // Journaled intents continue unchecked.
    if (account !== undefined && (await intents.find(intentId)) === undefined) {
      if (ask.kind === 'swap' && !(await settings.get()).pageSwaps) {
        throw new WalletError('unsupported-method', 'The user does not want to be asked for swaps by pages.')
      }
      await sites.permitted(origin, account)
    }
    return carryOut(approval, decision, at)
  }
}

/** Account whose key is needed. */
function getAccount(ask: DappRequest): Address | undefined {
  if (ask.kind === 'swap') return ask.request.from
  return 'account' in ask ? ask.account : undefined
}
