import { isSwap } from '../../domain/activity/intent.ts'
import type { TransactionsApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { IncomingTransfers } from '../activity/incoming.ts'
import type { Networks } from '../networks/networks.ts'
import { address, chainId, hex, intentId, parse } from '../schemas.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { checkOutcome } from '../transfers/checkOutcome.ts'
import { type PreviewTransfer, transferIntent } from '../transfers/transfer.ts'
import {
  replacementKindSchema,
  replaceRequestSchema,
  transferRequestSchema,
  transferSchema,
} from './schemas.ts'

export type TransactionsApiDeps = {
  vault: Pick<Vault, 'extend' | 'requireKey'>
  networks: Pick<Networks, 'chain'>
  previewTransfer: PreviewTransfer
  intents: Pick<TransactionQueue, 'send' | 'find' | 'sendings' | 'replacement' | 'replace'>
  incoming: Pick<IncomingTransfers, 'list'>
}

export function createTransactionsApi(deps: TransactionsApiDeps): TransactionsApi {
  const { vault, networks, previewTransfer, intents, incoming } = deps
  return {
    async callBatch(id) {
      const found = await intents.find(parse(intentId, id, 'transaction'))
      return found === undefined || isSwap(found) ? undefined : found
    },
    callBatches: () => intents.sendings(),
    incomingTransfers: () => incoming.list(),

    async previewTransfer(asked) {
      const ask = parse(transferRequestSchema, asked, 'transfer')
      // A renewed preview must not put off the auto-lock.
      await vault.requireKey(ask.account)
      return previewTransfer(ask)
    },
    async send(asked) {
      const wanted = parse(transferSchema, asked, 'transfer')
      await vault.extend()
      const intent = transferIntent(wanted)
      // An intent of the journal is resumed without another check.
      if ((await intents.find(intent.id)) === undefined) {
        await checkOutcome(await networks.chain(intent.chainId), intent)
      }
      return intents.send(intent)
    },
    async isContract(id, who) {
      return (await networks.chain(parse(chainId, id, 'network'))).isContract(parse(address, who, 'account'))
    },
    async call(id, who, data) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      // A name may resolve differently on another chain.
      await chain.verify()
      return chain.proxyRequest('eth_call', [
        { to: parse(address, who, 'contract'), data: parse(hex, data, 'data') },
        'latest',
      ])
    },

    async replacement(id, wanted) {
      return intents.replacement(
        parse(intentId, id, 'transaction'),
        parse(replacementKindSchema, wanted, 'wish'),
      )
    },
    async replace(asked) {
      const ask = parse(replaceRequestSchema, asked, 'replacement')
      await vault.extend()
      return intents.replace(ask)
    },
  }
}
