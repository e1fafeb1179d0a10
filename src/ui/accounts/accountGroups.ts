import type { Address } from '../../domain/token/token.ts'
import type { OwnAccount, OwnSeed } from '../../protocol.ts'

/** Accounts of one origin. `number` counts phrases from 1. */
export type AccountGroup =
  | { kind: 'seed'; seed: OwnSeed; number: number; accounts: OwnAccount[] }
  | { kind: 'key' | 'watched'; accounts: OwnAccount[] }

/** Groups accounts by phrase, private keys and watch-only addresses. */
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

/** Returns the order of all accounts after `moved` takes the place of `target` in its group. */
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
  // Another group: no move.
  const left = at < 0 ? group.map(({ address }) => address) : order
  return owned.map((one) => (group.includes(one) ? (left.shift() ?? one.address) : one.address))
}

/** Filters accounts whose name or address contains `text`. */
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
