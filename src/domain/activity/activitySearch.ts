import { foldCase } from '../address/contact.ts'
import { formatExact } from '../token/amount.ts'
import type { Address } from '../token/token.ts'
import {
  activityAddresses,
  activityAmounts,
  activityTokens,
  type GetName,
  transactionHashes,
} from './activity.ts'
import { type ActivityEntry, getEntryAccount, getEntryChainId, isIncoming } from './incoming.ts'
import { isSwap } from './intent.ts'

export type ActivityNames = { tokenOf: GetName; personOf(address: Address): string | undefined }

/** Returns the entries that contain all words of `text`, in any case and with any accents. */
export function searchActivity(
  entries: readonly ActivityEntry[],
  text: string,
  names: ActivityNames,
): ActivityEntry[] {
  const wanted = foldCase(text).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...entries]
  return entries.filter((one) => {
    const words = knownWords(one, names)
    return wanted.every((part) => words.some((word) => word.includes(plain(part))))
  })
}

/** Cached while the user types. */
const known = new WeakMap<ActivityNames, WeakMap<ActivityEntry, string[]>>()

function knownWords(one: ActivityEntry, names: ActivityNames): string[] {
  const byEntry = known.get(names) ?? new WeakMap<ActivityEntry, string[]>()
  const words = byEntry.get(one) ?? toWords(one, names)
  known.set(names, byEntry.set(one, words))
  return words
}

function toWords(one: ActivityEntry, { tokenOf, personOf }: ActivityNames): string[] {
  const chainId = getEntryChainId(one)
  const parts = Object.values(activityAmounts(one))
  const tokens = activityTokens(one)
  const known = tokens.map((token) => tokenOf(chainId, token))
  const amounts = parts.map(({ token, amount }) => {
    const decimals = tokenOf(chainId, token)?.decimals
    return decimals === undefined ? String(amount) : formatExact(amount, decimals)
  })
  const people = [...activityAddresses(one), getEntryAccount(one)]
  const origin = isIncoming(one) || isSwap(one) ? undefined : one.intent.origin
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

/** Accepts thousands separators and a decimal comma. */
function plain(part: string): string {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(part)) return part.replaceAll(',', '')
  return /^\d+,\d+$/.test(part) ? part.replace(',', '.') : part
}
