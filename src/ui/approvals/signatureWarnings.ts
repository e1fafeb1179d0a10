import type { CallWords } from '../../domain/calldata/describeCall.ts'
import { callRisks } from '../../domain/dapp/callRisks.ts'
import { byteLength } from '../../domain/hex.ts'
import { givesAllowance } from '../../domain/signing/describeTypedData.ts'
import type { Description, SignedNetwork, SignWarning } from '../../domain/signing/description.ts'
import { digestBytes } from '../../domain/signing/digest.ts'
import { isPublicRouter, knownRouters, ownRouter } from '../../domain/swap/routers.ts'
import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { formatRisk } from '../messages/risks.ts'

/** Concerns about a signature, in sentences. */
export type SignDoubts = {
  isSpenderKnown: boolean
  /** Shown as a stop. */
  doubts: string[]
  /** That the domain names no network, where that alone is no reason to stop. */
  networkNote?: string
  /** Shown as plain notes. */
  notes: string[]
  /** Label of the box to tick first; absent only for what is known to be harmless. */
  tick?: string
  /** The box stands for no warning: an exact amount, for a short time, to the wallet's own router. */
  isCalm?: true
}

type Context = {
  /** Router that the user trusts, if any. */
  router: Address | undefined
  /** Name of the active network. */
  networkName: string
  chainId: number
  /** Comparisons with the account's balances and the market, in sentences. */
  risks?: string[]
  /** Inner calls of a signature, as they read. */
  calls?: CallWords[]
}

export function signatureWarnings(
  description: Description,
  { router, networkName, chainId, risks = [], calls = [] }: Context,
): SignDoubts {
  const { kind, network, warnings } = description
  const isSpenderKnown = !goesToStranger(description, router, chainId)
  const isHarmless = kind === 'sign-in'
  // A comparison says more than an amount by itself.
  const said = warnings
    .filter((warning) => warning !== 'unlimited' || risks.length === 0)
    .map((warning) =>
      warning === 'long-lived' && kind === 'permit' && description.isUntilRevoked
        ? t('This signature can be submitted for longer than usual.')
        : sayWarning(warning, network, networkName),
    )
  // Of the account in whose name they are made. What it holds is not read, so an allowance for a stranger is a stop.
  const account = kind === 'calls' ? description.sender : nativeTokenAddress
  const callDoubts = callRisks(calls, { account, wrapped: [] }).map((risk) => ({
    isGrave: risk.isGrave,
    words: formatRisk(risk, () => undefined),
  }))
  const doubts = [
    ...(isUnreadable(description)
      ? [
          t(
            'This is a hash or packed data. Its meaning can’t be seen, and signing it could cost you everything you have.',
          ),
        ]
      : []),
    ...(isSpenderKnown ? [] : [t('This wallet doesn’t recognize the spender.')]),
    ...(isHarmless ? [] : said),
    ...risks,
    ...callDoubts.filter(({ isGrave }) => isGrave).map(({ words }) => words),
  ]
  const networkNote =
    network.kind === 'salt' && network.isCurrent
      ? t('This signature doesn’t specify a network, but its salt encodes chain ID {chainId} ({network}).', {
          chainId: `${network.chainId}`,
          network: networkName,
        })
      : isHarmless
        ? said[0]
        : undefined
  const notes = [
    ...callDoubts.filter(({ isGrave }) => !isGrave).map(({ words }) => words),
    ...(kind === 'other' && !description.isForOtherSite
      ? [
          t(
            'Sluice doesn’t recognize this data. A contract could act on your signature without asking you again.',
          ),
        ]
      : []),
    ...(kind === 'safe-message'
      ? [
          t(
            'Anything that accepts this Safe’s signatures will accept this one. It could be an order or a permit.',
          ),
        ]
      : []),
    ...(calls.some((call) => call.kind === 'unknown')
      ? [t('Sluice doesn’t recognize this call. It could take anything the account holds.')]
      : []),
  ]
  const isCalm = doubts.length === 0 && networkNote === undefined && isForOwnRouter(description, chainId)
  return {
    isSpenderKnown,
    ...(isCalm && { isCalm }),
    doubts,
    ...(networkNote !== undefined && { networkNote }),
    notes,
    ...(!isHarmless && {
      tick:
        doubts.length > 0
          ? t('Sign anyway')
          : isCalm
            ? t('I allow Sluice’s router to take this')
            : t(ticks[kind]),
    }),
  }
}

/** True when something may be taken by an account that is neither the trusted router nor a public one. */
function goesToStranger(description: Description, router: Address | undefined, chainId: number): boolean {
  if (description.kind !== 'permit') return false
  const { spender } = description.terms
  if (spender === undefined || !givesAllowance(description)) return false
  return spender !== router && !isPublicRouter(spender, chainId) && !knownRouters(chainId).includes(spender)
}

/** True for permits of exact amounts to the router whose address comes with the wallet. A router that the user pinned is not known. */
function isForOwnRouter(description: Description, chainId: number): boolean {
  if (description.kind !== 'permit' || !givesAllowance(description)) return false
  const { standard, witness, terms } = description
  const { spender, leaves } = terms
  return (
    (standard === 'EIP-2612' || standard === 'Permit2') &&
    witness === undefined &&
    spender !== undefined &&
    spender === ownRouter(chainId)?.address &&
    leaves.every(({ amount, item }) => typeof amount === 'bigint' && item === undefined)
  )
}

/** True for nothing but digests or packed bytes. */
function isUnreadable(description: Description): boolean {
  if (description.kind === 'safe-message') return byteLength(description.message) === digestBytes
  return description.kind === 'digest'
}

function sayWarning(warning: SignWarning, network: SignedNetwork, name: string): string {
  if (warning !== 'other-network') return t(warnings[warning])
  const chainId = network.kind === 'any' ? '' : `${network.chainId}`
  return t(
    'This signature doesn’t specify a network, and its salt encodes chain ID {chainId}, which isn’t {network}.',
    {
      chainId,
      network: name,
    },
  )
}

const warnings: Record<Exclude<SignWarning, 'other-network'>, string> = {
  unlimited: defineMessage('Unlimited: it covers your entire current and future balance.'),
  'long-lived': defineMessage('It stays valid for longer than usual.'),
  'foreign-recipient': defineMessage('What you buy goes to another address.'),
  'foreign-owner': defineMessage('It concerns a different account than the one signing.'),
  'unknown-contract': defineMessage('It imitates a well-known contract but is for a different one.'),
  'no-network': defineMessage('This signature doesn’t specify a network, so it’s valid on every network.'),
  'unsigned-domain': defineMessage(
    'The site specifies a contract or network that the signature doesn’t include.',
  ),
  'no-return': defineMessage('You receive nothing in return.'),
  'price-by-code': defineMessage('A contract that isn’t shown here decides how much you receive.'),
  'any-item': defineMessage('The taker chooses which of your NFTs to take.'),
  'full-control': defineMessage(
    'It hands over control of all your current and future positions in this contract.',
  ),
  'delegate-call': defineMessage(
    'It runs code with full control over the account and could take everything it holds.',
  ),
  'unreadable-calls': defineMessage('Sluice can’t decode what the account would do.'),
  'other-site': defineMessage('This sign-in is for a different site.'),
}

const ticks: Record<Exclude<Description['kind'], 'sign-in'>, string> = {
  permit: defineMessage('I allow the spender to take this'),
  transfer: defineMessage('I agree to this transfer'),
  cancellation: defineMessage('I agree to this cancellation'),
  authorization: defineMessage('I agree to this change'),
  order: defineMessage('I agree to this trade'),
  calls: defineMessage('I agree to this transaction'),
  'safe-message': defineMessage('I agree to this Safe message'),
  digest: defineMessage('Sign anyway'),
  other: defineMessage('I trust this site with my signature'),
}
