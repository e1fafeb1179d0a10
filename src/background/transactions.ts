import { isSwap } from '../domain/intent.ts'
import type { Wallet } from '../protocol.ts'
import type { Vault } from '../vault/vault.ts'
import type { Intents } from './intents.ts'
import type { Networks } from './networks.ts'
import { address, chainId, intentId, parse } from './shapes.ts'
import { type PreviewTransfer, transferIntent } from './transfer.ts'
import { ownTransfer, replaceAsk, transferAsk, wish } from './walletShapes.ts'

type Methods = Pick<
  Wallet,
  'sending' | 'sendings' | 'previewTransfer' | 'send' | 'isContract' | 'replacement' | 'replace'
>

export type TransactionParts = {
  vault: Pick<Vault, 'extend' | 'requireKey'>
  networks: Pick<Networks, 'chain'>
  previewTransfer: PreviewTransfer
  intents: Pick<Intents, 'send' | 'find' | 'sendings' | 'replacement' | 'replace'>
}

/** What the popup asks about transactions that are no swap, and about any that waits. */
export function createTransactions(parts: TransactionParts): Methods {
  const { vault, networks, previewTransfer, intents } = parts
  return {
    async sending(id) {
      const found = await intents.find(parse(intentId, id, 'transaction'))
      return found === undefined || isSwap(found) ? undefined : found
    },
    sendings: () => intents.sendings(),

    async previewTransfer(asked) {
      const ask = parse(transferAsk, asked, 'transfer')
      await vault.extend()
      await vault.requireKey(ask.account)
      return previewTransfer(ask)
    },
    async send(asked) {
      const wanted = parse(ownTransfer, asked, 'transfer')
      await vault.extend()
      return intents.send(transferIntent(wanted))
    },
    async isContract(id, who) {
      return (await networks.chain(parse(chainId, id, 'network'))).isContract(parse(address, who, 'account'))
    },

    async replacement(id, wanted) {
      return intents.replacement(parse(intentId, id, 'transaction'), parse(wish, wanted, 'wish'))
    },
    async replace(asked) {
      const ask = parse(replaceAsk, asked, 'replacement')
      await vault.extend()
      return intents.replace(ask)
    },
  }
}
