import type { ErrorCode, WalletError } from '../../errors.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { refusalSentences } from './refusalWords.ts'
import { formatBareReason } from './revertReason.ts'
import { adviceFor, formatFailure } from './reverts.ts'
import { serviceSentences } from './serviceWords.ts'
import { unsafeSentences } from './unsafeWords.ts'

/** What went wrong, and what to do next. */
export type Sentence = { what: string; next: string }

/** The sentence of `error`, and the facts behind it for whoever asks for help. */
export function formatError(error: WalletError): Sentence & { details: string } {
  const { code, message, facts } = error
  const known = Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
  return {
    ...(sayContract(error) ?? sayKnown(error)),
    details: [`${code}: ${message}`, ...known].join('\n'),
  }
}

function sayKnown(error: WalletError): Sentence {
  const { what, next } = sentenceOf(error)
  return { what: t(what as '{where}', { where: error.facts.where ?? '' }), next: t(next) }
}

/** The sentence of a contract's refusal. Undefined where the contract gave no reason. */
function sayContract({ code, facts }: WalletError): Sentence | undefined {
  if (code === 'reverted') {
    const what = formatFailure(facts)
    const spent = t('Nothing was moved; only the network fee was spent.')
    return what === undefined ? undefined : { what, next: `${spent} ${adviceFor(facts)}` }
  }
  if (code !== 'would-fail' || !facts.reason) return undefined
  const { what, next } = sentences[code]
  return { what: t(what), next: `${formatBareReason(facts.reason)} ${t(next)}` }
}

/** The same in one line, for below a field. */
export function formatErrorSentence(error: WalletError): string {
  const { what, next } = formatError(error)
  return `${what} ${next}`
}

/** What is known best is said: what disagreed, else the service's own reason, else the kind of error. */
function sentenceOf({ code, facts }: WalletError): Sentence {
  const { fact, serviceCode, why } = facts
  const disagreed = isAboutFacts.has(code) && own(unsafeSentences, fact)
  const known = isRefusal.has(code) && own(refusalSentences, why)
  return disagreed || known || own(serviceSentences, serviceCode) || sentences[code]
}

/** Of what the user wants, or gave: its reason is our own. */
const isRefusal: ReadonlySet<ErrorCode> = new Set(['network-needed', 'invalid-input', 'wrong-password'])

/** An answer for another pair is refused before there is a transaction. */
const isAboutFacts: ReadonlySet<ErrorCode> = new Set(['unsafe-transaction', 'service-garbled'])

/** The name came from outside: what every object has is no sentence. */
function own(table: Record<string, Sentence>, name: string | undefined): Sentence | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}

const sentences: Record<ErrorCode, Sentence> = {
  'invalid-input': {
    what: defineMessage('Something in this form cannot be used.'),
    next: defineMessage('Check what you entered.'),
  },
  'no-vault': {
    what: defineMessage('There is no wallet here yet.'),
    next: defineMessage('Create one, or import yours.'),
  },
  'vault-exists': {
    what: defineMessage('There is a wallet here already.'),
    next: defineMessage('Unlock it with its password.'),
  },
  locked: { what: defineMessage('The wallet is locked.'), next: defineMessage('Unlock it and try again.') },
  'wrong-password': { what: defineMessage('That is not the password.'), next: defineMessage('Try again.') },
  'too-many-tries': {
    what: defineMessage('The password was wrong too often.'),
    next: defineMessage('Wait a little, then try again.'),
  },
  'watch-only': {
    what: defineMessage('This account is only watched: its key is not in this wallet.'),
    next: defineMessage('Import its key, or choose another account.'),
  },
  'vault-newer': {
    what: defineMessage('A newer version of Sluice wrote this wallet.'),
    next: defineMessage('Nothing was changed. Update Sluice to open it.'),
  },
  'network-needed': {
    what: defineMessage('This network has to stay.'),
    next: defineMessage('It is in use, or came with the wallet.'),
  },
  'vault-damaged': {
    what: defineMessage('The stored wallet cannot be read.'),
    next: defineMessage('Your funds are safe on the chain: import your recovery phrase again.'),
  },
  'storage-failed': {
    what: defineMessage('The browser could not store the change.'),
    next: defineMessage('Nothing was lost. Free some disk space and try again.'),
  },
  'record-damaged': {
    what: defineMessage('What was stored of this was damaged on disk.'),
    next: defineMessage('It may have happened: look up your account before you do it again.'),
  },
  'unsafe-transaction': {
    what: defineMessage('The service built a transaction that is not what you asked for.'),
    next: defineMessage('It was refused and nothing was signed. Try later or use another service.'),
  },
  'unknown-router': {
    what: defineMessage('The service names a router that the wallet does not know.'),
    next: defineMessage('Nothing was signed. Trust it only if its makers publish this very address.'),
  },
  'unexpected-change': {
    what: defineMessage('Your node says that more would change than what you agreed to.'),
    next: defineMessage('Nothing was signed. Use another service, or leave these tokens alone.'),
  },
  'outcome-changed': {
    what: defineMessage('The result changed since you saw it.'),
    next: defineMessage('Nothing was signed. Check what changes now before you confirm.'),
  },
  'no-permit': {
    what: defineMessage('The token refuses your signature.'),
    next: defineMessage('Nothing was swapped. Review again, and choose to approve it instead.'),
  },
  'below-floor': {
    what: defineMessage('It would pay less than the minimum.'),
    next: defineMessage('Nothing was swapped. Review it at the new price, or wait for a better one.'),
  },
  'below-market': {
    what: defineMessage('The market price is far better than the price of this swap.'),
    next: defineMessage('Nothing was signed. Review again to see the loss before you accept it.'),
  },
  'stale-review': {
    what: defineMessage('What you reviewed does not hold any more.'),
    next: defineMessage('Nothing was signed. Review the new numbers.'),
  },
  'fee-too-high': {
    what: defineMessage('The network fee is above the limit that this wallet has for the network.'),
    next: defineMessage(
      'Nothing was signed. Check the RPC: it may be wrong. The limit is in the network’s settings.',
    ),
  },
  'not-enough-gas': {
    what: defineMessage('There is not enough of the network’s coin to pay the fee.'),
    next: defineMessage('Add some. Where it is what you sell or send, make it a little less.'),
  },
  'would-fail': {
    what: defineMessage('Your node says that it would fail.'),
    next: defineMessage('Nothing was signed. Try a smaller amount, or review again.'),
  },
  reverted: {
    what: defineMessage('The network refused it while carrying it out.'),
    next: defineMessage('It changed nothing; only its fee was spent. Review it again if you still want it.'),
  },
  replaced: {
    what: defineMessage('Another transaction of this account took its place.'),
    next: defineMessage(
      'If you sent one from another wallet, that was it. If not, look at the activity before you do it again.',
    ),
  },
  cancelled: {
    what: defineMessage('You cancelled it.'),
    next: defineMessage('The network took the cancellation: nothing else happened.'),
  },
  'already-mined': {
    what: defineMessage('The network had carried it out already.'),
    next: defineMessage('It can be neither sped up nor cancelled any more.'),
  },
  underpriced: {
    what: defineMessage('It pays too little to take the place of the one before.'),
    next: defineMessage('Choose a higher fee.'),
  },
  dropped: {
    what: defineMessage('No node has the transaction any more.'),
    next: defineMessage(
      'Nothing has moved so far. It may still happen: look at the activity before you do it again.',
    ),
  },
  'worker-stopped': {
    what: defineMessage('The wallet restarted before it answered.'),
    next: defineMessage('Try again.'),
  },
  internal: {
    what: defineMessage('Something unexpected happened inside the wallet.'),
    next: defineMessage('Try again.'),
  },
  'no-route': {
    what: defineMessage('No way to swap this amount now.'),
    next: defineMessage('Try another amount or another token.'),
  },
  'unknown-token': {
    what: defineMessage('There is no token at this address.'),
    next: defineMessage('Check it, or choose another token.'),
  },
  'not-enough-balance': {
    what: defineMessage('This account does not hold enough.'),
    next: defineMessage('Enter a smaller amount.'),
  },
  'not-enough-allowance': {
    what: defineMessage('The router may not take the token yet.'),
    next: defineMessage('Review again: the permission comes first.'),
  },
  'estimation-failed': {
    what: defineMessage('The swap would fail at this moment.'),
    next: defineMessage('Try a smaller amount or more slippage.'),
  },
  'refused-request': {
    what: defineMessage('The service did not accept the question.'),
    next: defineMessage('Check the amount and the tokens.'),
  },
  'service-forbidden': {
    what: defineMessage('The service refused your key.'),
    next: defineMessage('Check the API key in the settings.'),
  },
  'service-busy': {
    what: defineMessage('The service is busy.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-failed': {
    what: defineMessage('The service has a problem.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-unreachable': {
    what: defineMessage('The swap service cannot be reached.'),
    next: defineMessage('Check your connection and its address in the settings.'),
  },
  'service-timeout': {
    what: defineMessage('The service takes too long to answer.'),
    next: defineMessage('Try again in a moment.'),
  },
  'service-garbled': {
    what: defineMessage('The service’s answer makes no sense.'),
    next: defineMessage('Check its address in the settings.'),
  },
  'node-unreachable': {
    what: defineMessage('The network’s node cannot be reached.'),
    next: defineMessage('Check your connection and the RPC URL in the settings.'),
  },
  'node-timeout': {
    what: defineMessage('The network’s node takes too long to answer.'),
    next: defineMessage('Try again.'),
  },
  'node-refused': {
    what: defineMessage('The network’s node refused the request.'),
    next: defineMessage('Try again or use another node.'),
  },
  'wrong-chain': {
    what: defineMessage('The node belongs to another network.'),
    next: defineMessage('Nothing was signed. Correct the RPC URL in the settings.'),
  },
  aborted: { what: defineMessage('This was called off.'), next: defineMessage('Start again when you like.') },
  'invalid-request': {
    what: defineMessage('The site asked in a form that no wallet knows.'),
    next: defineMessage('Nothing was done.'),
  },
  'unknown-method': {
    what: defineMessage('The site asked for something this wallet does not know.'),
    next: defineMessage('Nothing was done.'),
  },
  'unsupported-method': {
    what: defineMessage('The site asked for something this wallet does not do.'),
    next: defineMessage('Nothing was done.'),
  },
  'invalid-params': {
    what: defineMessage('The site’s request makes no sense.'),
    next: defineMessage('Nothing was done.'),
  },
  'not-connected': {
    what: defineMessage('This site is not connected to that account.'),
    next: defineMessage('Connect it, and start again on the site.'),
  },
  throttled: {
    what: defineMessage('This site asked too often.'),
    next: defineMessage('Wait a minute, then start again on the site.'),
  },
  'limit-exceeded': {
    what: defineMessage('This site sent too much at once.'),
    next: defineMessage('Wait a minute, then start again on the site.'),
  },
  rejected: {
    what: defineMessage('This request is over: answered, taken back, or too old.'),
    next: defineMessage('Start again on the site.'),
  },
  'request-open': {
    what: defineMessage('The site asks for the same already.'),
    next: defineMessage('Answer that request first.'),
  },
  'unknown-chain': {
    what: defineMessage('The wallet does not know this network.'),
    next: defineMessage('Add it first.'),
  },
  'not-sent': {
    what: defineMessage('It was approved, but not all of it was sent.'),
    next: defineMessage('The details say how far it came. Start again on the site.'),
  },
  'no-service': {
    what: defineMessage('No swap service is known for this network.'),
    next: defineMessage('Name one in the settings.'),
  },
  'no-capability': {
    what: defineMessage('The site needs something this wallet cannot do.'),
    next: defineMessage('Nothing was sent.'),
  },
  'no-atomicity': {
    what: defineMessage(
      'The site wants everything in one transaction, and this wallet sends one after the other.',
    ),
    next: defineMessage('Nothing was sent.'),
  },
  'id-used': {
    what: defineMessage('The site gave this request a name it used before.'),
    next: defineMessage('Start again on the site.'),
  },
  'unknown-id': {
    what: defineMessage('The wallet knows no such request.'),
    next: defineMessage('It may be over. Look at the site.'),
  },
  'node-answered': {
    what: defineMessage('The network’s node refused.'),
    next: defineMessage('The details say why.'),
  },
}
