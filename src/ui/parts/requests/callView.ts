import type { CallWords, SwapWords } from '../../../domain/abi/callWords.ts'
import { type Address, native } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../language/translate.ts'
import { formatMoment } from '../../format/time.ts'
import { sayBytes } from '../../words/sayBytes.ts'

/** What a call does, ready to be drawn. */
export type CallView = { title: string; sides: Side[]; facts: Fact[] }

/** An amount that moves, or may be moved. */
export type Side = { what: string; amount: bigint | 'all'; address: Address; isGain?: boolean }

/** `isBad` is not as one would expect. `isRecipient`: something goes there, so that every digit counts. */
export type Fact =
  | { name: string; address: Address; isBad?: boolean; isRecipient?: boolean }
  | { name: string; text: string }

export function viewOfCall(words: CallWords, account: Address): CallView {
  switch (words.kind) {
    case 'create':
      return { title: t('Create a contract'), sides: coins(words.value), facts: [size(words.bytes)] }
    case 'transfer': {
      const { token, to, from, amount } = words
      const isOwn = from === undefined || from === account
      return {
        title: isOwn ? t('Send') : t('Move somebody’s tokens'),
        sides: [{ what: isOwn ? t('You send') : t('Moved'), amount, address: token }],
        facts: [...(isOwn ? [] : [{ name: t('From'), address: from }]), recipient(to)],
      }
    }
    case 'approve': {
      const { token, spender, amount, adds = false, until } = words
      return {
        title: amount === 0n && !adds ? t('Take a permission back') : t('Let tokens be taken'),
        sides: [{ what: adds ? t('May take on top') : mayTake(amount > 0n), amount, address: token }],
        facts: [{ name: t('Who'), address: spender }, ...lasts(until)],
      }
    }
    case 'approve-all': {
      const { collection, operator, approved } = words
      return {
        title: approved ? t('Let a whole collection be taken') : t('Take a permission back'),
        sides: [{ what: mayTake(approved), amount: 'all', address: collection }],
        facts: [{ name: t('Who'), address: operator }],
      }
    }
    case 'operator':
      return {
        title: words.approved ? t('Let another account act for you') : t('Take a permission back'),
        sides: [],
        facts: [contract(words.contract), { name: t('Who'), address: words.operator }],
      }
    case 'delegate':
      return {
        title: t('Delegate votes'),
        sides: [],
        facts: [contract(words.contract), { name: t('To'), address: words.delegatee }],
      }
    case 'permit': {
      const { token, owner, spender, amount, until } = words
      return {
        title: t('Hand in a signed permission'),
        sides: [{ what: t('May be taken'), amount, address: token }],
        facts: [{ name: t('From'), address: owner }, { name: t('Who'), address: spender }, ...lasts(until)],
      }
    }
    case 'transfer-items': {
      const { collection, from, to, items } = words
      const list = items.map(({ id, amount }) => (amount === 1n ? `#${id}` : `${amount} × #${id}`))
      return {
        title: from === account ? t('Send collectibles') : t('Move somebody’s collectibles'),
        sides: [],
        facts: [
          { name: t('Collection'), address: collection },
          { name: t('Items'), text: list.join(', ') },
          ...(from === account ? [] : [{ name: t('From'), address: from }]),
          recipient(to),
        ],
      }
    }
    case 'wrap':
      return {
        title: t('Wrap'),
        sides: [{ what: t('You wrap'), amount: words.amount, address: native }],
        facts: [contract(words.token)],
      }
    case 'unwrap':
      return {
        title: t('Unwrap'),
        sides: [{ what: t('You unwrap'), amount: words.amount, address: words.token }],
        facts: [],
      }
    case 'swap':
      return viewOfSwap(words, account)
    case 'unknown':
      return {
        title: t('Call a contract'),
        sides: coins(words.value),
        facts: [
          contract(words.to),
          functionOf(words),
          ...(words.recipients ?? []).map((address) => ({
            name: t('Receiver'),
            address,
            isBad: true,
            isRecipient: true,
          })),
          size(words.bytes),
        ],
      }
  }
}

function viewOfSwap(
  { router, sell, buy, amount, floor, receiver, value, fee }: SwapWords,
  account: Address,
): CallView {
  return {
    title: t('Swap'),
    sides: [
      { what: t('You sell at most'), amount, address: sell },
      ...(sell === native ? coins(value > amount ? value - amount : 0n) : coins(value)),
      ...(buy === undefined
        ? []
        : [{ what: t('Bought at least'), amount: floor, address: buy, isGain: receiver === account }]),
    ],
    facts: [
      ...(buy === undefined
        ? [
            {
              name: t('Bought at least'),
              text: t('{amount} units of what it does not name', { amount: `${floor}` }),
            },
          ]
        : []),
      receiver === account
        ? { name: t('Receiver'), text: t('This account') }
        : { name: t('Receiver'), address: receiver, isBad: true, isRecipient: true },
      { name: t('Router'), address: router },
      ...(fee === undefined
        ? []
        : [
            { name: t('Fee'), text: t('{share} of what is sold', { share: shareOf(fee.ppm) }) },
            { name: t('Fee goes to'), address: fee.taker },
          ]),
    ],
  }
}

function mayTake(may: boolean): string {
  return may ? t('May take from you') : t('May no longer take')
}

function coins(value: bigint): Side[] {
  return value > 0n ? [{ what: t('You send along'), amount: value, address: native }] : []
}

function contract(address: Address): Fact {
  return { name: t('Contract'), address }
}

function recipient(address: Address): Fact {
  return { name: t('To'), address, isRecipient: true }
}

function functionOf({ name, selector }: Extract<CallWords, { kind: 'unknown' }>): Fact {
  return name === undefined
    ? { name: t('Function, not known'), text: selector }
    : { name: t('Function'), text: name }
}

/** Millionths as a percentage, whole. */
function shareOf(ppm: bigint): string {
  const share = Number(ppm) / 1_000_000
  return share.toLocaleString(spokenLocale(), { style: 'percent', maximumFractionDigits: 4 })
}

function size(bytes: number): Fact {
  return { name: t('Data'), text: sayBytes(bytes) }
}

function lasts(until: bigint | undefined): Fact[] {
  if (until === undefined) return []
  // The last date a browser can write.
  const isDate = until <= 8_640_000_000_000n
  return [{ name: t('Until'), text: isDate ? formatMoment(Number(until) * 1_000) : t('for ever') }]
}
