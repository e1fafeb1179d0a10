import type { PortfolioApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import { parse, uint256 } from '../schemas.ts'
import { type SnapshotStore, snapshotChainsSchema } from '../snapshots.ts'
import { parseOwnAccount } from './accountsApi.ts'

export type PortfolioApiDeps = { vault: Vault; snapshots: SnapshotStore }

export function createPortfolioApi({ vault, snapshots }: PortfolioApiDeps): PortfolioApi {
  return {
    snapshots: async (account) => snapshots.list(await parseOwnAccount(vault, account)),
    addSnapshot: async (account, usd, chains) =>
      snapshots.add(
        await parseOwnAccount(vault, account),
        parse(uint256, usd, 'total'),
        parse(snapshotChainsSchema, chains, 'list of networks').toSorted((one, other) => one - other),
      ),
  }
}
