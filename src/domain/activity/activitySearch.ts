import { foldCase } from '../address/contact.ts'
import { formatExact } from '../token/amount.ts'
import type { Address } from '../token/token.ts'
import {
  type Activity,
  activityTokens,
  addressesOf,
  amountsOf,
  type GetName,
  transactionHashes,
} from './activity.ts'
import { getChainId, isSwap } from './intent.ts'

/** What tokens are called, and people by the user. */
export type Names = { tokenOf: GetName; personOf(address: Address): string | undefined }

/**
 * The entries that all words of `text` are found in: symbols, names of tokens and people, addresses, hashes, amounts, sites, whatever the
 * case and the accents.
 */
export function searchActivity(entries: readonly Activity[], text: string, names: Names): Activity[] {
  const wanted = foldCase(text).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...entries]
  return entries.filter((one) => {
    const words = knownWords(one, names)
    return wanted.every((part) => words.some((word) => word.includes(plain(part))))
  })
}

/** Put together once: while somebody types, neither the entries nor the names change. */
const known = new WeakMap<Names, WeakMap<Activity, string[]>>()

function knownWords(one: Activity, names: Names): string[] {
  const byEntry = known.get(names) ?? new WeakMap<Activity, string[]>()
  const words = byEntry.get(one) ?? wordsOf(one, names)
  known.set(names, byEntry.set(one, words))
  return words
}

function wordsOf(one: Activity, { tokenOf, personOf }: Names): string[] {
  const { intent } = one
  const parts = Object.values(amountsOf(one))
  const tokens = activityTokens(one)
  const known = tokens.map((token) => tokenOf(getChainId(intent), token))
  const amounts = parts.map(({ token, amount }) => {
    const decimals = tokenOf(getChainId(intent), token)?.decimals
    return decimals === undefined ? String(amount) : formatExact(amount, decimals)
  })
  const people = [...addressesOf(one), intent.account]
  const origin = isSwap(one) ? undefined : one.intent.origin
  return [
    ...tokens,
    ...known.flatMap((token) => (token ? [token.symbol, token.name] : [])),
    ...amounts,
    ...people,
    ...people.flatMap((address) => personOf(address) ?? []),
    ...transactionHashes(one),
    ...(origin === undefined ? [] : [origin]),
  ].map(foldCase)
}

/** A number as it is shown, with thousands set apart or a comma for its mark, as amounts are written here. */
function plain(part: string): string {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(part)) return part.replaceAll(',', '')
  return /^\d+,\d+$/.test(part) ? part.replace(',', '.') : part
}
