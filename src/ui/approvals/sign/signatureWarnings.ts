import { size } from 'viem'
import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import { callRisks } from '../../../domain/dapp/risks/callRisks.ts'
import { givesAllowance } from '../../../domain/signing/describeTypedData.ts'
import type { SignedNetwork, SignWarning, TypedDataDescription } from '../../../domain/signing/description.ts'
import { digestBytes } from '../../../domain/signing/digest.ts'
import { isPublicRouter, knownRouters, ownRouter } from '../../../domain/swap/routers.ts'
import { type Address, nativeTokenAddress } from '../../../domain/token/token.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { formatRisk } from '../../messages/risks.ts'

export type SignatureWarnings = {
  isSpenderKnown: boolean
  /** Shown as a stop. */
  doubts: string[]
  /** Note that the domain names no network, when no reason to stop. */
  networkNote?: string
  notes: string[]
  /** Label of the required checkbox. Absent only for harmless data. */
  tick?: string
  /** True for a short exact permit to the own router: the checkbox is no warning. */
  isCalm?: true
}

type Context = {
  router: Address | undefined
  networkName: string
  chainId: number
  /** Comparisons with balances and market prices. */
  risks?: string[]
  calls?: DecodedCall[]
}

export function signatureWarnings(
  description: TypedDataDescription,
  { router, networkName, chainId, risks = [], calls = [] }: Context,
): SignatureWarnings {
  const { kind, network, warnings } = description
  const isSpenderKnown = !goesToStranger(description, router, chainId)
  const isHarmless = kind === 'sign-in'
  // Replaces the plain warning about an unlimited amount.
  const said = warnings
    .filter((warning) => warning !== 'unlimited' || risks.length === 0)
    .map((warning) =>
      warning === 'long-lived' && kind === 'permit' && description.isUntilRevoked
        ? t('This signature can be submitted for longer than usual.')
        : formatWarning(warning, network, networkName),
    )
  // Balances are not read, so any allowance for an unknown spender is a stop.
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
    ...(isSpenderKnown ? [] : [t('Sluice doesn’t recognize the spender.')]),
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
      ? [t('This call isn’t recognized. It could take anything the account holds.')]
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
          ? t('I understand the risk and want to sign')
          : isCalm
            ? t('I allow Sluice’s router to spend this')
            : t(ticks[kind]),
    }),
  }
}

/** True if the permit's spender is neither trusted nor known. */
function goesToStranger(
  description: TypedDataDescription,
  router: Address | undefined,
  chainId: number,
): boolean {
  if (description.kind !== 'permit') return false
  const { spender } = description.terms
  if (spender === undefined || !givesAllowance(description)) return false
  return spender !== router && !isPublicRouter(spender, chainId) && !knownRouters(chainId).includes(spender)
}

/** True for exact permits to the bundled router, not to a pinned one. */
function isForOwnRouter(description: TypedDataDescription, chainId: number): boolean {
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

/** Bare digests and packed data. */
function isUnreadable(description: TypedDataDescription): boolean {
  if (description.kind === 'safe-message') return size(description.message) === digestBytes
  return description.kind === 'digest'
}

function formatWarning(warning: SignWarning, network: SignedNetwork, name: string): string {
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
  'foreign-owner': defineMessage('It’s for a different account than the one signing.'),
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
  'large-fee': defineMessage('The maximum network fee is unusually high.'),
  'self-call': defineMessage('It changes the settings of the account, such as who controls it.'),
  'other-site': defineMessage('This sign-in is for a different site.'),
}

const ticks: Record<Exclude<TypedDataDescription['kind'], 'sign-in'>, string> = {
  permit: defineMessage('I allow the spender to take this'),
  transfer: defineMessage('I agree to this transfer'),
  cancellation: defineMessage('I agree to this cancellation'),
  authorization: defineMessage('I agree to this change'),
  order: defineMessage('I agree to this trade'),
  calls: defineMessage('I agree to this transaction'),
  'safe-message': defineMessage('I agree to this Safe message'),
  digest: defineMessage('I understand the risk and want to sign'),
  other: defineMessage('I trust this site with my signature'),
}
