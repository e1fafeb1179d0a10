import type { CallWarning } from '../../domain/calldata/decodedCall.ts'
import type { Risk } from '../../domain/dapp/risks/risk.ts'
import {
  type Address,
  isNative,
  nativeTokenAddress,
  type Token,
  zeroAddress,
} from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { formatSymbol, shortAddress } from '../format/address.ts'
import { formatInteger, formatWithSymbol } from '../format/numbers.ts'
import { formatFeeWarning } from './feeWarnings.ts'
import { validateSiwe } from './siwe.ts'

export type FindToken = (address: Address) => Token | null | undefined
type NameOf = (address: Address) => string | undefined

export function formatRisk(risk: Risk, tokenOf: FindToken, nameOf: NameOf = () => undefined): string {
  switch (risk.kind) {
    case 'call':
      return t(warnings[risk.warning])
    case 'unseen':
      return t('Too complex to check fully. It could take any of your assets.')
    case 'no-change':
      return risk.isPaid
        ? t(
            'The simulation shows only what you send, but this could still hand over assets you hold elsewhere.',
          )
        : t('The simulation shows no change, but this could still hand over assets you hold elsewhere.')
    case 'unstable':
      return t('The outcome depends on the block it’s included in. The worst outcome seen is shown.')
    case 'weak':
      return t(
        'With your RPC, contracts can tell this simulation from a real block and may behave differently.',
      )
    case 'beyond-balance':
      return t(beyondBalance(risk), {
        symbol: toSymbol(risk.token, tokenOf),
        spender: shortAddress(risk.spender),
      })
    case 'below-minimum':
      return formatBelowMinimum(risk, tokenOf)
    case 'low-minimum':
      return t('The minimum received is only {promised}. About {expected} is expected.', {
        promised: formatRiskAmount(risk.promised, risk.buy, tokenOf, true),
        expected: formatRiskAmount(risk.expected, risk.buy, tokenOf, false),
      })
    case 'loss':
      return t('You’d receive {received} for something worth about {expected}.', {
        received: formatRiskAmount(risk.received, risk.buy, tokenOf, true),
        expected: formatRiskAmount(risk.expected, risk.buy, tokenOf, false),
      })
    case 'unreturned':
      return t('After call {number}, you’ve sent {amount} but haven’t yet received what’s shown.', {
        number: risk.calls,
        amount:
          risk.nft === undefined
            ? formatRiskAmount(risk.amount, risk.token, tokenOf, true)
            : `${toSymbol(risk.token, tokenOf)} #${risk.nft}`,
      })
    case 'foreign-recipient':
      return risk.recipient === undefined
        ? t('Not all of this can be read. It may pay out to other accounts.')
        : t('The payout goes to {recipient}, not to this account.', {
            recipient: shortAddress(risk.recipient),
          })
    case 'imitation':
      return formatImitation(
        { address: risk.token, symbol: toSymbol(risk.token, tokenOf) },
        { address: risk.original, symbol: toSymbol(risk.original, tokenOf) },
      )
    case 'look-alike':
      return formatLookAlike(shortAddress(risk.address), nameOf(risk.of))
    case 'lost':
      return risk.recipient === zeroAddress
        ? t('This is the zero address. Anything sent there is lost.')
        : t('{symbol} would be sent to its own contract. Tokens sent there are almost always lost.', {
            symbol: toSymbol(risk.token, tokenOf),
          })
    case 'no-code':
      return t('There’s no contract at {address}, so the data currently does nothing there.', {
        address: shortAddress(risk.contract),
      })
    case 'new-recipient':
      return t('First time sending to this address. Check every character.')
    case 'doubtful-token':
      return t('You receive a token whose value the wallet can’t verify.')
    case 'fails':
      return `${t('This is expected to fail.')} ${toStake(risk.value, tokenOf)}`
    case 'unchecked':
      return t('This couldn’t be checked. It could take any of your assets.')
    case 'fee':
      return formatFeeWarning({ kind: risk.doubt, fee: risk.fee }, toSymbol(nativeTokenAddress, tokenOf))
    case 'typed-data':
      return t('I understand the risk and want to sign')
    case 'message':
      return risk.doubt === 'hash'
        ? t(
            'This is a hash or packed data. Its meaning can’t be seen, and signing it could cost you everything you have.',
          )
        : t('This is binary data, not text. Only sign it if you know exactly what it means.')
    case 'sign-in':
      return validateSiwe(risk.fault, risk)
    case 'unpriced':
      return t('No market price is available for this trade, so the wallet can’t tell whether it’s fair.')
  }
}

function formatLookAlike(address: string, name: string | undefined): string {
  return name === undefined
    ? t('{address} starts and ends like an address you’ve sent to before, but it’s a different one.', {
        address,
      })
    : t('{address} starts and ends like {name}, but it’s a different address.', { address, name })
}

/** Contracts may fail only in simulation, so `value` and other assets stay at stake. */
function toStake(value: bigint, tokenOf: FindToken): string {
  return value === 0n
    ? t('If it doesn’t, it could take any of your assets.')
    : t('If it doesn’t, it takes up to {amount} and could also take any of your assets.', {
        amount: formatRiskAmount(value, nativeTokenAddress, tokenOf, true),
      })
}

type Named = { address: Address; symbol: string }

export function formatImitation(token: Named, original: Named): string {
  const names = {
    symbol: token.symbol,
    address: shortAddress(token.address),
    original: original.symbol,
  }
  if (isNative(original.address)) {
    return t(
      '{symbol} ({address}) looks like {original}, this network’s native token, but it’s a contract that anyone can create.',
      names,
    )
  }
  return t(
    '{symbol} ({address}) looks like {original}, but it’s a different contract. The listed one is {listed}.',
    {
      ...names,
      listed: shortAddress(original.address),
    },
  )
}

function formatBelowMinimum(
  { buy, received, promised }: Extract<Risk, { kind: 'below-minimum' }>,
  tokenOf: FindToken,
): string {
  if (received === 0n) return t('You’d receive nothing from this trade.')
  if (buy === undefined) return t('You’d receive less from this trade than it promises.')
  return t('You’d receive only {received}, less than the {promised} this trade promises.', {
    received: formatRiskAmount(received, buy, tokenOf, true),
    promised: formatRiskAmount(promised, buy, tokenOf, true),
  })
}

function beyondBalance({
  isHidden,
  isCollection,
  balance,
}: Extract<Risk, { kind: 'beyond-balance' }>): string {
  if (isCollection) {
    return isHidden
      ? defineMessage('It lets {spender} take every {symbol} NFT you own, without saying so.')
      : defineMessage('{spender} can take every {symbol} NFT you own, now and in the future.')
  }
  if (isHidden) return defineMessage('It lets {spender} take more {symbol} than you have, without saying so.')
  return balance === undefined
    ? defineMessage('Your {symbol} balance couldn’t be read. {spender} may be able to take all of it.')
    : defineMessage('More than you have: {spender} can take all your {symbol}, now and in the future.')
}

const warnings: Record<CallWarning, string> = {
  'no-floor': defineMessage('No minimum received: the swap may return almost nothing.'),
  'foreign-receiver': defineMessage('What you buy goes to another address.'),
  'unknown-router': defineMessage('It looks like a swap, but this contract isn’t a known router.'),
  fee: defineMessage('A third party takes a fee out of what you sell.'),
  'partial-fill': defineMessage('It may sell only part of the amount.'),
  'unknown-spender': defineMessage('The spender isn’t a known router.'),
  operator: defineMessage('This lets another account use everything you hold in this contract.'),
  'coins-along': defineMessage('It sends native tokens that this function doesn’t use. They may be lost.'),
}

function toSymbol(address: Address, tokenOf: FindToken): string {
  const token = tokenOf(address)
  return token ? formatSymbol(token) : shortAddress(address)
}

/** Formats an amount, `isExact` where rounding would overstate it. */
export function formatRiskAmount(
  amount: bigint,
  address: Address,
  tokenOf: FindToken,
  isExact: boolean,
): string {
  const token = tokenOf(address)
  if (!token) {
    const symbol = shortAddress(address)
    return t('{amount} units of {symbol}', { amount: formatInteger(amount, 0), symbol })
  }
  return formatWithSymbol(amount, token, isExact)
}
