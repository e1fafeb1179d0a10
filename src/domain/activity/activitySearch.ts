import { formatExact } from '../token/amount.ts'
import { type Activity, hashesOf, type NameOf, partiesOf, partsOf, tokensOf } from './activity.ts'
import { chainIdOf, isSwap } from './intent.ts'

/** The entries that all words of `text` are found in: symbols, names, addresses, hashes, amounts, sites, in any letter case. */
export function searchActivity(entries: readonly Activity[], text: string, nameOf: NameOf): Activity[] {
  const wanted = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return [...entries]
  return entries.filter((one) => {
    const words = knownWords(one, nameOf)
    return wanted.every((part) => words.some((word) => word.includes(plain(part))))
  })
}

/** Put together once: while somebody types, neither the entries nor the names change. */
const known = new WeakMap<NameOf, WeakMap<Activity, string[]>>()

function knownWords(one: Activity, nameOf: NameOf): string[] {
  const byEntry = known.get(nameOf) ?? new WeakMap<Activity, string[]>()
  const words = byEntry.get(one) ?? wordsOf(one, nameOf)
  known.set(nameOf, byEntry.set(one, words))
  return words
}

function wordsOf(one: Activity, nameOf: NameOf): string[] {
  const { intent } = one
  const parts = Object.values(partsOf(one))
  const tokens = tokensOf(one)
  const known = tokens.map((token) => nameOf(chainIdOf(intent), token))
  const amounts = parts.map(({ token, amount }) => {
    const decimals = nameOf(chainIdOf(intent), token)?.decimals
    return decimals === undefined ? String(amount) : formatExact(amount, decimals)
  })
  const origin = isSwap(one) ? undefined : one.intent.origin
  return [
    ...tokens,
    ...known.flatMap((token) => (token ? [token.symbol, token.name] : [])),
    ...amounts,
    ...partiesOf(one),
    ...hashesOf(one),
    intent.account,
    ...(origin === undefined ? [] : [origin]),
  ].map((word) => word.toLowerCase())
}

/** A number as it is shown, with thousands set apart or a comma for its mark, as amounts are written here. */
function plain(part: string): string {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(part)) return part.replaceAll(',', '')
  return /^\d+,\d+$/.test(part) ? part.replace(',', '.') : part
}
