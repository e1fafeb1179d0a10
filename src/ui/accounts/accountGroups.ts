import type { Address } from '../../domain/token/token.ts'
import type { OwnAccount, OwnSeed } from '../../protocol.ts'

/** Accounts that came the same way. `number` counts the phrases from one. */
export type AccountGroup =
  | { kind: 'seed'; seed: OwnSeed; number: number; accounts: OwnAccount[] }
  | { kind: 'key' | 'watched'; accounts: OwnAccount[] }

/** All accounts by where they come from: each phrase, keys, addresses to look at. Their own order stays within. */
export function groupAccounts(owned: OwnAccount[], seeds: OwnSeed[]): AccountGroup[] {
  const phrases = seeds.map((seed, index) => ({
    kind: 'seed' as const,
    seed,
    number: index + 1,
    accounts: owned.filter(({ kind, secret }) => kind === 'seed' && secret === seed.id),
  }))
  const others = (['key', 'watched'] as const).map((kind) => ({
    kind,
    accounts: owned.filter((account) => account.kind === kind),
  }))
  return [...phrases, ...others.filter(({ accounts }) => accounts.length > 0)]
}

/**
 * The order of all accounts after one took the place of another of its group: those between move up. The places that the group has
 * among all accounts stay its own.
 */
export function moveTo(owned: OwnAccount[], moved: Address, target: Address): Address[] {
  const group = owned.filter((one) =>
    isBeside(
      one,
      owned.find(({ address }) => address === moved),
    ),
  )
  const order = group.map(({ address }) => address).filter((address) => address !== moved)
  const at = group.findIndex(({ address }) => address === target)
  if (at >= 0) order.splice(at, 0, moved)
  // The target stands elsewhere: nothing moves.
  const left = at < 0 ? group.map(({ address }) => address) : order
  return owned.map((one) => (group.includes(one) ? (left.shift() ?? one.address) : one.address))
}

/** Accounts whose name or address has `text` in it. */
export function findAccounts<Account extends Pick<OwnAccount, 'address'>>(
  accounts: Account[],
  text: string,
  nameOf: (account: Account) => string,
): Account[] {
  const wanted = text.trim().toLowerCase()
  return accounts.filter(
    (account) => account.address.includes(wanted) || nameOf(account).toLowerCase().includes(wanted),
  )
}

function isBeside(one: OwnAccount, other: OwnAccount | undefined): boolean {
  if (one.kind !== other?.kind) return false
  return one.kind !== 'seed' || one.secret === other.secret
}
