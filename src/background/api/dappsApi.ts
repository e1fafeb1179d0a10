import type { CallPreview } from '../../domain/activity/callBatch.ts'
import type { Approval } from '../../domain/dapp/approval.ts'
import type { Risk } from '../../domain/dapp/risks/risk.ts'
import { WalletError } from '../../errors.ts'
import type { DappsApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { Sites } from '../dapp/connectedSites.ts'
import { decision, parse, spendingLimit } from '../schemas.ts'
import { requireSiteAccounts } from './accountsApi.ts'
import { nameSchema, siteSchema } from './schemas.ts'

export type DappsApiDeps = {
  vault: Vault
  approvals: Approvals
  sites: Sites
  preview(approval: Approval, spendingLimit?: bigint): Promise<CallPreview>
  signRisks(approval: Approval): Promise<Risk[]>
  recipientRisks(approval: Approval): Promise<Risk[]>
}

export function createDappsApi(deps: DappsApiDeps): DappsApi {
  const { vault, approvals, sites } = deps

  async function getRequest(id: string): Promise<Approval> {
    const approval = await approvals.find(parse(nameSchema, id, 'request'))
    if (approval === undefined) throw new WalletError('invalid-input', 'This request is no longer open.')
    return approval
  }

  return {
    approvals: () => approvals.list(),
    async previewCalls(id, value) {
      const limit = value === undefined ? undefined : parse(spendingLimit, value, 'spendingLimit')
      return deps.preview(await getRequest(id), limit)
    },
    signRisks: async (id) => deps.signRisks(await getRequest(id)),
    recipientRisks: async (id) => deps.recipientRisks(await getRequest(id)),
    async approve(id, value) {
      const answer = parse(decision, value, 'answer')
      await vault.extend()
      // Requires an unlocked wallet even where no key is needed.
      await requireSiteAccounts(vault, answer.kind === 'connect' ? answer.accounts : [])
      await approvals.approve(parse(nameSchema, id, 'request'), answer)
    },
    async reject(id) {
      await vault.extend()
      await approvals.reject(parse(nameSchema, id, 'request'))
    },
    async rejectAll() {
      await vault.extend()
      await approvals.rejectAll()
    },
    showApprovals: () => approvals.show(),
    sites: () => sites.list(),
    async updateSite(value) {
      const site = parse(siteSchema, value, 'site')
      await vault.extend()
      await requireSiteAccounts(vault, site.accounts)
      await sites.change(site)
    },
    async disconnect(origin) {
      await vault.extend()
      const site = parse(nameSchema, origin, 'site')
      await sites.disconnect(site)
      await approvals.withdrawSite(site)
    },
  }
}
