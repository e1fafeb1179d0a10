import type { AllowancesApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
import { address, chainId, parse } from '../schemas.ts'
import type { Allowances } from '../tokens/allowances.ts'
import { revokeFee, revokeIntent } from '../tokens/revoke.ts'
import type { TransactionQueue } from '../transactions/queue.ts'
import { parseOwnAccount } from './accountsApi.ts'
import { revokeRequestSchema, revokeSchema } from './schemas.ts'

export type AllowancesApiDeps = {
  vault: Vault
  networks: Pick<Networks, 'chain'>
  allowances: Allowances
  intents: Pick<TransactionQueue, 'send'>
}

export function createAllowancesApi(deps: AllowancesApiDeps): AllowancesApi {
  const { vault, networks, allowances, intents } = deps
  return {
    async allowances(id, account) {
      return allowances(parse(chainId, id, 'network'), await parseOwnAccount(vault, account))
    },
    async allowance(id, account, token, spender) {
      const chain = await networks.chain(parse(chainId, id, 'network'))
      const [sold, taker] = [parse(address, token, 'token'), parse(address, spender, 'spender')]
      const owner = await parseOwnAccount(vault, account)
      const [{ allowance }] = await Promise.all([chain.position(owner, sold, taker), chain.verify()])
      return allowance
    },
    async revokeFee(value) {
      const request = parse(revokeRequestSchema, value, 'permission')
      await vault.requireKey(request.account)
      return revokeFee(await networks.chain(request.chainId), request)
    },
    async revoke(value) {
      const request = parse(revokeSchema, value, 'permission')
      await vault.extend()
      return intents.send(revokeIntent(request))
    },
  }
}
