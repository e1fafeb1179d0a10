import type { Address } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { AccountsApi } from '../../protocol.ts'
import type { Vault } from '../../vault/vault.ts'
import { address, parse } from '../schemas.ts'
import type { SnapshotStore } from '../snapshots.ts'
import { accountChangesSchema, addressesSchema, nameSchema, seedIdSchema } from './schemas.ts'
import type { Notifier } from './vaultApi.ts'

export function createAccountsApi(
  vault: Vault,
  notify: Notifier,
  snapshots: Pick<SnapshotStore, 'keepOnly'>,
): AccountsApi {
  async function forgetRemoved(): Promise<void> {
    const { accounts } = await vault.overview()
    await snapshots.keepOnly(accounts.map(({ address }) => address))
  }
  return {
    addAccount: notify(async (seed) => vault.addAccount(parse(seedIdSchema, seed, 'phrase'))),
    addSeed: notify(vault.addSeed),
    addPhrase: notify(vault.addPhrase),
    addKey: notify(vault.addKey),
    addWatchOnly: notify(vault.addWatched),
    changeAccount: notify(async (account, changes) =>
      vault.changeAccount(parse(address, account, 'account'), parse(accountChangesSchema, changes, 'change')),
    ),
    reorderAccounts: notify(async (accounts) =>
      vault.orderAccounts(parse(addressesSchema, accounts, 'order')),
    ),
    removeAccount: notify(async (account) => {
      await vault.removeAccount(parse(address, account, 'account'))
      await forgetRemoved()
    }),
    removeSeed: notify(async (seed) => {
      await vault.removeSeed(parse(nameSchema, seed, 'phrase'))
      await forgetRemoved()
    }),
  }
}

/** Parses the address of one of the wallet's accounts. Throws `locked`, or `invalid-input` for any other. */
export async function parseOwnAccount(vault: Vault, value: unknown): Promise<Address> {
  const account = parse(address, value, 'account')
  requireOwn((await vault.overview()).accounts, [account])
  return account
}

/** Throws `locked`, and `invalid-input` unless all of `accounts` may be shown to sites. */
export async function requireSiteAccounts(vault: Vault, accounts: Address[]): Promise<void> {
  requireOwn(await vault.accounts(), accounts)
}

function requireOwn(own: { address: Address }[], wanted: Address[]): void {
  const stranger = wanted.find((one) => own.every((account) => account.address !== one))
  if (stranger !== undefined) {
    throw new WalletError('invalid-input', `The account ${stranger} is not one of this wallet.`)
  }
}
