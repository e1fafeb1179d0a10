import type { Step } from '../swap/swap.ts'
import { formatExact } from '../token/amount.ts'
import {
  type ActivityAmount,
  activityAddresses,
  activityAmounts,
  activityKind,
  activityState,
  type GetName,
  isUnreadable,
  transactionHashes,
} from './activity.ts'
import { type ActivityEntry, getEntryAccount, getEntryChainId, getEntryId, isIncoming } from './incoming.ts'
import { isSwap } from './intent.ts'

/** Native tokens of all networks here have 18. */
const coinDecimals = 18

const columns = [
  'time',
  'chainId',
  'account',
  'kind',
  'state',
  'sent',
  'sentToken',
  'sentTokenAddress',
  'received',
  'receivedToken',
  'receivedTokenAddress',
  'counterparties',
  'site',
  'networkFee',
  'transactions',
  'blocks',
  'error',
  'id',
] as const

/** Amounts in whole units; of unknown tokens in base units, without a symbol. */
type Row = Record<(typeof columns)[number], string>

/** Formats CSV (RFC 4180, CRLF). */
export function toCsv(entries: readonly ActivityEntry[], nameOf: GetName): string {
  const rows = entries.map((one) => toRow(one, nameOf))
  const lines = [[...columns], ...rows.map((row) => columns.map((column) => row[column]))]
  return lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')
}

export function toJson(entries: readonly ActivityEntry[], nameOf: GetName): string {
  return `${JSON.stringify(
    entries.map((one) => toRow(one, nameOf)),
    undefined,
    2,
  )}\n`
}

function toRow(one: ActivityEntry, nameOf: GetName): Row {
  const { createdAt } = one
  const chainId = getEntryChainId(one)
  const state = activityState(one)
  const { out, in: into } = activityAmounts(one)
  const moved = state === 'done' || state === 'below-minimum'
  const sent = words(moved ? out : undefined, chainId, nameOf)
  const received = words(moved ? into : undefined, chainId, nameOf)
  const row = {
    // A damaged record has no time.
    time: createdAt === 0 ? '' : new Date(createdAt).toISOString(),
    chainId: String(chainId),
    account: getEntryAccount(one),
    kind: activityKind(one),
    state,
    sent: sent.amount,
    sentToken: sent.symbol || words(out, chainId, nameOf).symbol,
    sentTokenAddress: out?.token ?? '',
    received: received.amount,
    receivedToken: received.symbol || words(into, chainId, nameOf).symbol,
    receivedTokenAddress: into?.token ?? '',
    counterparties: activityAddresses(one).join(' '),
    ...ownFields(one),
    id: getEntryId(one),
  }
  return isUnreadable(one) ? { ...row, ...unread } : row
}

/** An incoming transfer has no site, fee and error. */
function ownFields(
  one: ActivityEntry,
): Pick<Row, 'site' | 'networkFee' | 'transactions' | 'blocks' | 'error'> {
  const transactions = transactionHashes(one).join(' ')
  if (isIncoming(one)) {
    return { site: '', networkFee: '', transactions, blocks: String(one.block ?? ''), error: '' }
  }
  const { outcome, steps, paid } = one
  return {
    site: isSwap(one) ? '' : (one.intent.origin ?? ''),
    networkFee: formatExact(paid, coinDecimals),
    transactions,
    blocks: toBlocks(steps),
    error:
      outcome.status === 'failed' ? outcome.code : outcome.status === 'below-minimum' ? 'below-minimum' : '',
  }
}

/** Placeholders of an unreadable record. */
const unread: Partial<Row> = {
  chainId: '',
  account: '',
  kind: '',
  sentTokenAddress: '',
  receivedTokenAddress: '',
  counterparties: '',
  networkFee: '',
}

function words(
  part: ActivityAmount | undefined,
  chainId: number,
  nameOf: GetName,
): { amount: string; symbol: string } {
  if (part === undefined) return { amount: '', symbol: '' }
  const known = nameOf(chainId, part.token)
  if (!known) return { amount: String(part.amount), symbol: '' }
  return { amount: formatExact(part.amount, known.decimals), symbol: known.symbol }
}

function toBlocks(steps: readonly Step[]): string {
  return steps.flatMap(({ block }) => (block === undefined ? [] : String(block))).join(' ')
}

/** Escapes spreadsheet formulas with an apostrophe, also after separators of other locales. */
function cell(value: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(value)
  const safe = isNumber ? value : value.replace(formulas, "$1'").replace(/^(?=[\t\r\n])/, "'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** With full-width signs, which some spreadsheets accept. */
const formulas = /((?:^|[;,|\t\r\n])[ "]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
