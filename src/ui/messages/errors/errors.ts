import type { ErrorCode, WalletError } from '../../../errors.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { inputErrorSentences } from './inputErrors.ts'
import { formatBareReason } from './revertReason.ts'
import { adviceFor, formatFailure } from './reverts.ts'
import { serviceSentences } from './serviceErrors.ts'
import { unsafeSentences } from './unsafeErrors.ts'

/** Message and advice. */
export type Sentence = { what: string; next: string }

/** Returns message, advice and technical details. */
export function formatError(error: WalletError): Sentence & { details: string } {
  const { code, message, facts } = error
  const known = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return {
    ...(formatContract(error) ?? formatKnown(error)),
    details: [`${code}: ${message}`, ...known].join('\n'),
  }
}

function formatKnown(error: WalletError): Sentence {
  const { what, next } = toSentence(error)
  return { what: t(what as '{where}', { where: error.facts.where ?? '' }), next: t(next) }
}

/** Undefined without a reason. */
function formatContract({ code, facts }: WalletError): Sentence | undefined {
  if (code === 'reverted') {
    const what = formatFailure(facts)
    const spent = t('No assets were moved; you only paid the network fee.')
    return what === undefined ? undefined : { what, next: `${spent} ${adviceFor(facts)}` }
  }
  if (code !== 'would-fail' || !facts.reason) return undefined
  const { what, next } = sentences[code]
  return { what: t(what), next: `${formatBareReason(facts.reason)} ${t(next)}` }
}

/** Returns message and advice in one line. */
export function formatErrorSentence(error: WalletError): string {
  const { what, next } = formatError(error)
  return `${what} ${next}`
}

/** Most specific first: failed verification, own reason, service code, error code. */
function toSentence({ code, facts }: WalletError): Sentence {
  const { fact, serviceCode, why } = facts
  const disagreed = isAboutFacts.has(code) && own(unsafeSentences, fact)
  const known = isRefusal.has(code) && own(inputErrorSentences, why)
  return disagreed || known || own(serviceSentences, serviceCode) || sentences[code]
}

/** Codes whose `facts.why` is set by the wallet. */
const isRefusal: ReadonlySet<ErrorCode> = new Set(['network-needed', 'invalid-input', 'wrong-password'])

/** `service-garbled`: rejected before calldata exists, e.g. a quote for another pair. */
const isAboutFacts: ReadonlySet<ErrorCode> = new Set(['unsafe-transaction', 'service-garbled'])

/** `name` is untrusted: excludes prototype members. */
function own(table: Record<string, Sentence>, name: string | undefined): Sentence | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

const sentences: Record<ErrorCode, Sentence> = {
  'invalid-input': {
    what: defineMessage('Some values are invalid.'),
    next: defineMessage('Check what you entered.'),
  },
  'no-vault': {
    what: defineMessage('No wallet found.'),
    next: defineMessage('Create a wallet, or import yours.'),
  },
  'vault-exists': {
    what: defineMessage('A wallet already exists.'),
    next: defineMessage('Unlock it with its password.'),
  },
  locked: { what: defineMessage('The wallet is locked.'), next: defineMessage('Unlock it and try again.') },
  'wrong-password': { what: defineMessage('Incorrect password.'), next: defineMessage('Try again.') },
  'too-many-tries': {
    what: defineMessage('Too many incorrect passwords.'),
    next: defineMessage('Wait a moment, then try again.'),
  },
  'watch-only': {
    what: defineMessage('This account is watch-only: its key isn’t in this wallet.'),
    next: defineMessage('Import its key, or choose another account.'),
  },
  'vault-newer': {
    what: defineMessage('This wallet was saved by a newer version of Sluice.'),
    next: defineMessage('Nothing was changed. Update Sluice to open it.'),
  },
  'network-needed': {
    what: defineMessage('This network can’t be removed.'),
    next: defineMessage('It’s in use or built into the wallet.'),
  },
  'vault-damaged': {
    what: defineMessage('The wallet data is corrupted.'),
    next: defineMessage('Your funds are safe on the blockchain. Import your recovery phrase again.'),
  },
  'storage-failed': {
    what: defineMessage('The browser couldn’t save the change.'),
    next: defineMessage('Nothing was lost. Free up disk space and try again.'),
  },
  'record-damaged': {
    what: defineMessage('This record is corrupted.'),
    next: defineMessage('The transaction may have gone through. Check your account before trying again.'),
  },
  'unsafe-transaction': {
    what: defineMessage('Unsafe transaction: it doesn’t match your request.'),
    next: defineMessage(
      'Sluice rejected it and nothing was signed. Try again later, or use another RPC or swap service.',
    ),
  },
  'unknown-router': {
    what: defineMessage('The swap service uses an unknown router.'),
    next: defineMessage('Nothing was signed. Trust it only if its developers publish this exact address.'),
  },
  'unexpected-change': {
    what: defineMessage('The simulation shows changes you didn’t agree to.'),
    next: defineMessage('Nothing was signed. Use another RPC or swap service, or avoid these tokens.'),
  },
  'outcome-changed': {
    what: defineMessage('The outcome has changed since you saw it.'),
    next: defineMessage('Nothing was signed. Review the new outcome before you confirm.'),
  },
  'no-permit': {
    what: defineMessage('The token rejected the permit.'),
    next: defineMessage('Nothing was swapped. Review again and choose an approval instead.'),
  },
  'below-floor': {
    what: defineMessage('The swap would return less than the minimum.'),
    next: defineMessage('Nothing was swapped. Review again at the new price, or wait for a better one.'),
  },
  'below-market': {
    what: defineMessage('This price is far worse than the market price.'),
    next: defineMessage('Nothing was signed. Review again to see the loss before you accept it.'),
  },
  'stale-review': {
    what: defineMessage('Your review is out of date.'),
    next: defineMessage('Nothing was signed. Review the updated details.'),
  },
  'fee-too-high': {
    what: defineMessage('The network fee exceeds your limit for this network.'),
    next: defineMessage(
      'Nothing was signed. The RPC may be wrong, so check it before you raise the limit in the network settings.',
    ),
  },
  'not-enough-gas': {
    what: defineMessage('Not enough native token for the network fee.'),
    next: defineMessage('Add some. If it’s what you’re selling or sending, reduce the amount slightly.'),
  },
  'would-fail': {
    what: defineMessage('The simulation shows this would fail.'),
    next: defineMessage('Nothing was signed. Try a smaller amount, or review again.'),
  },
  reverted: {
    what: defineMessage('The transaction reverted.'),
    next: defineMessage('Nothing changed; you only paid the network fee. Review again if you want to retry.'),
  },
  replaced: {
    what: defineMessage('Replaced by another transaction from this account.'),
    next: defineMessage(
      'If you sent one from another wallet, that’s the cause. If not, check your activity before trying again.',
    ),
  },
  cancelled: {
    what: defineMessage('Transaction cancelled.'),
    next: defineMessage('The cancellation was confirmed; nothing else happened.'),
  },
  'already-mined': {
    what: defineMessage('This transaction is already confirmed.'),
    next: defineMessage('It can no longer be sped up or cancelled.'),
  },
  underpriced: {
    what: defineMessage('The replacement fee is too low.'),
    next: defineMessage('Choose a higher fee.'),
  },
  dropped: {
    what: defineMessage('The transaction was dropped by the network.'),
    next: defineMessage(
      'Nothing has moved so far, but it may still go through. Check your activity before trying again.',
    ),
  },
  'worker-stopped': {
    what: defineMessage('The wallet restarted before it could respond.'),
    next: defineMessage('Try again.'),
  },
  internal: {
    what: defineMessage('Something went wrong in the wallet.'),
    next: defineMessage('Try again.'),
  },
  'no-route': {
    what: defineMessage('No route found for this amount.'),
    next: defineMessage('Try another amount or token.'),
  },
  'unknown-token': {
    what: defineMessage('No token found at this address.'),
    next: defineMessage('Check the address, or choose another token.'),
  },
  'not-enough-balance': {
    what: defineMessage('Insufficient balance.'),
    next: defineMessage('Enter a smaller amount.'),
  },
  'not-enough-allowance': {
    what: defineMessage('The router needs a token approval.'),
    next: defineMessage('Review again to approve the token first.'),
  },
  'estimation-failed': {
    what: defineMessage('The swap would currently fail.'),
    next: defineMessage('Try a smaller amount or higher slippage.'),
  },
  'refused-request': {
    what: defineMessage('The swap service rejected the request.'),
    next: defineMessage('Check the amount and the tokens.'),
  },
  'service-forbidden': {
    what: defineMessage('The swap service rejected your API key.'),
    next: defineMessage('Check the API key in the network settings.'),
  },
  'service-busy': {
    what: defineMessage('The swap service is busy.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-failed': {
    what: defineMessage('The swap service returned an error.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-unreachable': {
    what: defineMessage('Can’t reach the swap service.'),
    next: defineMessage('Check your connection and the swap service URL in the network settings.'),
  },
  'service-timeout': {
    what: defineMessage('The swap service timed out.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-garbled': {
    what: defineMessage('Unexpected response from the swap service.'),
    next: defineMessage('Check its URL in the network settings.'),
  },
  'node-unreachable': {
    what: defineMessage('Can’t reach the RPC.'),
    next: defineMessage('Check your connection and the RPC URL in the network settings.'),
  },
  'node-timeout': {
    what: defineMessage('The RPC timed out.'),
    next: defineMessage('Try again.'),
  },
  'node-refused': {
    what: defineMessage('The RPC rejected the request.'),
    next: defineMessage('Try again, or use another RPC.'),
  },
  'wrong-chain': {
    what: defineMessage('The RPC is on a different network.'),
    next: defineMessage('Nothing was signed. Correct the RPC URL in the network settings.'),
  },
  aborted: {
    what: defineMessage('This was cancelled.'),
    next: defineMessage('Start again whenever you’re ready.'),
  },
  'invalid-request': {
    what: defineMessage('The site sent a malformed request.'),
    next: defineMessage('Nothing was done.'),
  },
  'unknown-method': {
    what: defineMessage('The site called an unknown method.'),
    next: defineMessage('Nothing was done.'),
  },
  'unsupported-method': {
    what: defineMessage('The site called an unsupported method.'),
    next: defineMessage('Nothing was done.'),
  },
  'invalid-params': {
    what: defineMessage('The site’s request has invalid parameters.'),
    next: defineMessage('Nothing was done.'),
  },
  'not-connected': {
    what: defineMessage('This site isn’t connected to that account.'),
    next: defineMessage('Connect it, then start again on the site.'),
  },
  throttled: {
    what: defineMessage('Too many requests from this site.'),
    next: defineMessage('Wait a minute, then start again on the site.'),
  },
  'limit-exceeded': {
    what: defineMessage('This site sent too much data at once.'),
    next: defineMessage('Wait a minute, then start again on the site.'),
  },
  rejected: {
    what: defineMessage('This request was already answered, was withdrawn, or has expired.'),
    next: defineMessage('Start again on the site.'),
  },
  'request-open': {
    what: defineMessage('The same request is already pending.'),
    next: defineMessage('Respond to that request first.'),
  },
  'unknown-chain': {
    what: defineMessage('This network isn’t in your wallet.'),
    next: defineMessage('Add it first.'),
  },
  'not-sent': {
    what: defineMessage('You approved this, but not all of it was sent.'),
    next: defineMessage('The details show how far it got. Start again on the site.'),
  },
  'no-service': {
    what: defineMessage('No swap service is set for this network.'),
    next: defineMessage('Add one in the network settings.'),
  },
  'no-capability': {
    what: defineMessage('The site needs a feature Sluice doesn’t support.'),
    next: defineMessage('Nothing was sent.'),
  },
  'no-atomicity': {
    what: defineMessage('The site requires an atomic batch, but Sluice sends transactions one by one.'),
    next: defineMessage('Nothing was sent.'),
  },
  'id-used': {
    what: defineMessage('The site reused a request ID.'),
    next: defineMessage('Start again on the site.'),
  },
  'unknown-id': {
    what: defineMessage('Unknown request ID.'),
    next: defineMessage('The request may be closed. Check the site.'),
  },
  'node-answered': {
    what: defineMessage('The RPC returned an error.'),
    next: defineMessage('See the details for the reason.'),
  },
}
