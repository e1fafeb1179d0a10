import type { Warning } from '../../domain/calldata/describeCall.ts'
import type { Risk } from '../../domain/dapp/risk.ts'
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

/** Sentence of a risk, with its amounts and the names that the user has for addresses. */
export function formatRisk(risk: Risk, tokenOf: FindToken, nameOf: NameOf = () => undefined): string {
  switch (risk.kind) {
    case 'call':
      return t(warnings[risk.warning])
    case 'unseen':
      return t('More takes part in it than the wallet looks at. It may take anything of yours.')
    case 'no-change':
      return risk.isPaid
        ? t(
            'Beside what you send along, the wallet sees no change. It may hand over what you hold elsewhere.',
          )
        : t('The wallet sees no change. It may hand over what you hold elsewhere.')
    case 'unstable':
      return t('What it does depends on the block it lands in. The worst that was seen is shown.')
    case 'weak':
      return t(
        'With your node, contracts can tell this check from a real block. They may act differently then.',
      )
    case 'beyond-balance':
      return t(beyondBalance(risk), {
        symbol: symbolOf(risk.token, tokenOf),
        spender: shortAddress(risk.spender),
      })
    case 'below-minimum':
      return sayBelowMinimum(risk, tokenOf)
    case 'low-minimum':
      return t('This swap promises only {promised}. About {expected} is expected.', {
        promised: formatRiskAmount(risk.promised, risk.buy, tokenOf, true),
        expected: formatRiskAmount(risk.expected, risk.buy, tokenOf, false),
      })
    case 'loss':
      return t('You would get {received} for something worth about {expected}.', {
        received: formatRiskAmount(risk.received, risk.buy, tokenOf, true),
        expected: formatRiskAmount(risk.expected, risk.buy, tokenOf, false),
      })
    case 'unreturned':
      return t('After call {number} you have sent {amount} and not yet received what is shown.', {
        number: risk.calls,
        amount:
          risk.nft === undefined
            ? formatRiskAmount(risk.amount, risk.token, tokenOf, true)
            : `${symbolOf(risk.token, tokenOf)} #${risk.nft}`,
      })
    case 'foreign-recipient':
      return risk.recipient === undefined
        ? t('The wallet cannot read all of it. It may pay out to other accounts.')
        : t('What it pays out goes to {recipient}, not to this account.', {
            recipient: shortAddress(risk.recipient),
          })
    case 'imitation':
      return formatImitation(
        { address: risk.token, symbol: symbolOf(risk.token, tokenOf) },
        { address: risk.original, symbol: symbolOf(risk.original, tokenOf) },
      )
    case 'look-alike':
      return sayLookAlike(shortAddress(risk.address), nameOf(risk.of))
    case 'lost':
      return risk.recipient === zeroAddress
        ? t('Nobody owns this address: what is sent there is lost.')
        : t('{symbol} would go to its own contract: what is sent there is nearly always lost.', {
            symbol: symbolOf(risk.token, tokenOf),
          })
    case 'no-code':
      return t('There is no contract at {address}: the data does nothing there now.', {
        address: shortAddress(risk.contract),
      })
    case 'new-recipient':
      return t('You have sent nothing here before. Compare the whole address.')
    case 'doubtful-token':
      return t('You receive a token whose value the wallet cannot check.')
    case 'fails':
      return `${t('This is expected to fail.')} ${stakeOf(risk.value, tokenOf)}`
    case 'unchecked':
      return t('The wallet could not check this. It may take anything of yours.')
    case 'fee':
      return formatFeeWarning({ kind: risk.doubt, fee: risk.fee }, symbolOf(nativeTokenAddress, tokenOf))
    case 'typed-data':
      return t('Sign anyway')
    case 'message':
      return risk.doubt === 'hash'
        ? t(
            'This is a hash or packed data. What it stands for cannot be seen, and it may be worth all you have.',
          )
        : t('This is not a text. Only somebody who knows what it means should sign it.')
    case 'sign-in':
      return validateSiwe(risk.fault, risk)
    case 'unpriced':
      return t('No market price is known for this exchange: the wallet cannot tell whether it is fair.')
  }
}

function sayLookAlike(address: string, name: string | undefined): string {
  return name === undefined
    ? t('{address} begins and ends like an address you sent to before, but is another one.', { address })
    : t('{address} begins and ends like {name}, but is another address.', { address, name })
}

/** Returns the stake of calls that are expected to fail: contracts may fail only while they are simulated. */
function stakeOf(value: bigint, tokenOf: FindToken): string {
  return value === 0n
    ? t('If it does not, it may take anything of yours.')
    : t('If it does not, it takes up to {amount} and may take anything of yours.', {
        amount: formatRiskAmount(value, nativeTokenAddress, tokenOf, true),
      })
}

type Named = { address: Address; symbol: string }

/** The token that another could be mistaken for. */
export function formatImitation(token: Named, original: Named): string {
  const names = {
    symbol: token.symbol,
    address: shortAddress(token.address),
    original: original.symbol,
  }
  if (isNative(original.address)) {
    return t(
      '{symbol} at {address} looks like {original}, the coin of this network. It is a contract that anybody can make.',
      names,
    )
  }
  return t(
    '{symbol} at {address} looks like {original}, which is listed at {listed}. This is another contract.',
    {
      ...names,
      listed: shortAddress(original.address),
    },
  )
}

function sayBelowMinimum(
  { buy, received, promised }: Extract<Risk, { kind: 'below-minimum' }>,
  tokenOf: FindToken,
): string {
  if (received === 0n) return t('You would get nothing from this exchange.')
  if (buy === undefined) return t('You would get less from this exchange than it promises.')
  return t('You would get only {received}, although at least {promised} is promised.', {
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
      ? defineMessage('It lets {spender} take every item of {symbol} from you, and does not say so.')
      : defineMessage('{spender} can take every item of {symbol} that you have, now and later.')
  }
  if (isHidden)
    return defineMessage('It lets {spender} take more {symbol} than you have, and does not say so.')
  return balance === undefined
    ? defineMessage('Your {symbol} balance could not be read: {spender} may be able to take all of it.')
    : defineMessage('More than you have: {spender} can take all your {symbol}, now and later.')
}

const warnings: Record<Warning, string> = {
  'no-floor': defineMessage('The swap promises nothing: it may pay next to nothing.'),
  'foreign-receiver': defineMessage('What is bought goes to somebody else.'),
  'unknown-router': defineMessage(
    'It looks like a swap, but goes to a contract that is not known as a router.',
  ),
  fee: defineMessage('Somebody takes a part of what is sold.'),
  'partial-fill': defineMessage('It may sell a part only.'),
  'unknown-spender': defineMessage('Who may take it is not a router this wallet knows.'),
  operator: defineMessage('Another account may then use everything you keep in this contract.'),
  'coins-along': defineMessage('Coins go along that this function does not use. They may be lost.'),
}

function symbolOf(address: Address, tokenOf: FindToken): string {
  const token = tokenOf(address)
  return token ? formatSymbol(token) : shortAddress(address)
}

/** Every digit where a rounded amount would look like more. */
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
