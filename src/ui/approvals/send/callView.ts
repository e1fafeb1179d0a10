import type { DecodedCall, DecodedSwap } from '../../../domain/calldata/decodedCall.ts'
import { type Address, nativeTokenAddress } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import { formatBytes } from '../../format/bytes.ts'
import { formatMoment } from '../../format/time.ts'

/** Display data of a call. `act` is the button's label. */
export type CallView = { title: string; act: string; sides: CallAmount[]; facts: CallDetail[] }

export type CallAmount = { what: string; amount: bigint | 'all'; address: Address; isGain?: boolean }

/** `isBad`: unexpected. `isRecipient`: shown in full. `router`: known to the wallet or not. */
export type CallDetail =
  | { name: string; address: Address; isBad?: boolean; isRecipient?: boolean; router?: 'known' | 'unknown' }
  | { name: string; text: string }

/** Converts a call to display data. `hasCode` is false without a contract at the called address. */
export function toCallView(words: DecodedCall, account: Address, hasCode = true): CallView {
  const spender = (address: Address): CallDetail => ({
    name: t('Spender'),
    address,
    ...(givesSomething(words) && { router: isStranger(words) ? 'unknown' : 'known' }),
  })
  switch (words.kind) {
    case 'create':
      return {
        title: t('Create a contract'),
        act: t('Create'),
        sides: coins(words.value),
        facts: [size(words.bytes)],
      }
    case 'transfer': {
      const { token, to, from, amount } = words
      const isOwn = from === undefined || from === account
      return {
        title: isOwn ? t('Send') : t('Transfer tokens from another account'),
        act: t('Send'),
        sides: [{ what: isOwn ? t('You send') : t('Transfer amount'), amount, address: token }],
        facts: [...(isOwn ? [] : [{ name: t('From'), address: from }]), recipient(to)],
      }
    }
    case 'approve': {
      const { token, amount, adds = false, until } = words
      const isEnd = amount === 0n && !adds
      return {
        title: isEnd ? t('Revoke approval') : t('Approve token spending'),
        act: isEnd ? t('Revoke') : t('Approve'),
        sides: [{ what: adds ? t('Increase allowance by') : mayTake(amount > 0n), amount, address: token }],
        facts: [spender(words.spender), ...lasts(until)],
      }
    }
    case 'approve-all': {
      const { collection, operator, approved } = words
      return {
        title: approved ? t('Approve entire NFT collection') : t('Revoke approval'),
        act: approved ? t('Approve') : t('Revoke'),
        sides: [{ what: mayTake(approved), amount: 'all', address: collection }],
        facts: [
          ...(approved ? [{ name: t('Items'), text: t('All of this collection, now and later') }] : []),
          spender(operator),
        ],
      }
    }
    case 'operator':
      return {
        title: words.approved ? t('Let another account act on your behalf') : t('Revoke approval'),
        act: words.approved ? t('Approve') : t('Revoke'),
        sides: [],
        facts: [contract(words.contract), { name: t('Spender'), address: words.operator }],
      }
    case 'delegate':
      return {
        title: t('Delegate votes'),
        act: t('Delegate'),
        sides: [],
        facts: [contract(words.contract), { name: t('To'), address: words.delegatee }],
      }
    case 'permit': {
      const { token, owner, amount } = words
      return {
        title: t('Submit a signed permit'),
        act: t('Confirm'),
        sides: [{ what: t('Allowance'), amount, address: token }],
        facts: [
          { name: t('From'), address: owner },
          spender(words.spender),
          // The deadline limits the submission, not the allowance.
          ...(amount > 0n ? [{ name: t('Validity'), text: t('Until it’s used or revoked') }] : []),
        ],
      }
    }
    case 'transfer-items': {
      const { collection, from, to, items } = words
      const list = items.map(({ id, amount }) => (amount === 1n ? `#${id}` : `${amount} × #${id}`))
      return {
        title: from === account ? t('Send NFTs') : t('Transfer NFTs from another account'),
        act: t('Send'),
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
        act: t('Wrap'),
        sides: [{ what: t('You wrap'), amount: words.amount, address: nativeTokenAddress }],
        facts: [contract(words.token)],
      }
    case 'unwrap':
      return {
        title: t('Unwrap'),
        act: t('Unwrap'),
        sides: [{ what: t('You unwrap'), amount: words.amount, address: words.token }],
        facts: [],
      }
    case 'swap':
      return viewOfSwap(words, account)
    case 'unknown':
      return {
        title: hasCode ? t('Interact with a contract') : t('Send data'),
        act: t('Confirm'),
        sides: coins(words.value),
        facts: [
          ...(hasCode ? [contract(words.to), toFunction(words)] : [recipient(words.to)]),
          ...(words.recipients ?? []).map((address) => ({
            name: t('Recipient'),
            address,
            isBad: true,
            isRecipient: true,
          })),
          size(words.bytes),
        ],
      }
  }
}

/** True if the view may note a first transfer beside an address. */
export function namesRecipient({ facts }: CallView): boolean {
  return facts.some((fact) => 'isRecipient' in fact && fact.isRecipient)
}

function givesSomething(words: DecodedCall): boolean {
  return words.kind === 'approve-all' ? words.approved : 'amount' in words && words.amount > 0n
}

function isStranger({ warnings }: DecodedCall): boolean {
  return warnings.includes('unknown-spender') || warnings.includes('unknown-router')
}

function viewOfSwap(words: DecodedCall & DecodedSwap, account: Address): CallView {
  const { router, sell, buy, amount, floor, receiver, value, fee } = words
  return {
    title: t('Swap'),
    act: t('Swap'),
    sides: [
      { what: t('You sell (max)'), amount, address: sell },
      ...(sell === nativeTokenAddress ? coins(value > amount ? value - amount : 0n) : coins(value)),
      ...(buy === undefined
        ? []
        : [{ what: t('Minimum received'), amount: floor, address: buy, isGain: receiver === account }]),
    ],
    facts: [
      ...(buy === undefined
        ? [
            {
              name: t('Minimum received'),
              text: t('{amount} units of an unspecified token', { amount: `${floor}` }),
            },
          ]
        : []),
      receiver === account
        ? { name: t('Recipient'), text: t('This account') }
        : { name: t('Recipient'), address: receiver, isBad: true, isRecipient: true },
      { name: t('Router'), address: router, router: isStranger(words) ? 'unknown' : 'known' },
      ...(fee === undefined
        ? []
        : [
            { name: t('Fee'), text: t('{share} of the sell amount', { share: toShare(fee.ppm) }) },
            { name: t('Fee recipient'), address: fee.taker },
          ]),
    ],
  }
}

function mayTake(may: boolean): string {
  return may ? t('Spending approval') : t('Revoked approval')
}

function coins(value: bigint): CallAmount[] {
  return value > 0n ? [{ what: t('Value sent'), amount: value, address: nativeTokenAddress }] : []
}

function contract(address: Address): CallDetail {
  return { name: t('Contract'), address }
}

function recipient(address: Address): CallDetail {
  return { name: t('To'), address, isRecipient: true }
}

function toFunction({ name, selector }: Extract<DecodedCall, { kind: 'unknown' }>): CallDetail {
  return name === undefined
    ? { name: t('Unknown function'), text: selector }
    : { name: t('Function'), text: name }
}

/** Formats millionths as a percentage. */
function toShare(ppm: bigint): string {
  const share = Number(ppm) / 1_000_000
  return share.toLocaleString(spokenLocale(), { style: 'percent', maximumFractionDigits: 4 })
}

function size(bytes: number): CallDetail {
  return { name: t('Data'), text: formatBytes(bytes) }
}

function lasts(until: bigint | undefined): CallDetail[] {
  if (until === undefined) return []
  // Maximum of `Date`, in seconds.
  const isDate = until <= 8_640_000_000_000n
  return [{ name: t('Valid until'), text: isDate ? formatMoment(Number(until) * 1_000) : t('No expiration') }]
}
