import type { DecodedSwap, DecodedTokenCall } from '../../calldata/decodedCall.ts'
import { type CallContext, type CallDecoder, defineDecoder, toLower } from '../../calldata/decoder.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../token/token.ts'
import { type Step, universalDecoders } from './universalRouter.ts'

// A bundle is one swap only if all steps are known and add up to one sold and one bought token. Anything else
// is checked by simulation.

/** Returns decoders of V3 multicalls and Universal Router's `execute`. */
export function bundleDecoders(swaps: CallDecoder[]): CallDecoder[] {
  const steps = createStepReader(swaps)
  const join = (calls: readonly Hex[], on: CallContext) =>
    joinSteps(
      calls.map((call) => steps(call, on)),
      on,
    )
  return [
    defineDecoder('function multicall(bytes[]) payable', ([calls], on) => join(calls, on)),
    defineDecoder('function multicall(uint256, bytes[]) payable', ([, calls], on) => join(calls, on)),
    defineDecoder('function multicall(bytes32, bytes[]) payable', ([, calls], on) => join(calls, on)),
    ...universalDecoders(joinSteps),
  ]
}

/** Joins steps into one swap; undefined if they do anything else. */
export function joinSteps(
  steps: readonly (Step | undefined)[],
  on: CallContext,
): DecodedTokenCall | undefined {
  const known = steps.filter((step) => step !== undefined)
  if (known.length !== steps.length) return undefined
  const swaps = known.flatMap((step) => (step.kind === 'swap' ? [step.words] : []))
  const [first] = swaps
  if (first === undefined || first.buy === undefined) return undefined
  const isUniform = swaps.every(
    ({ sell, buy, receiver, amount }) =>
      sell === first.sell && buy === first.buy && receiver === first.receiver && amount > 0n,
  )
  if (!isUniform) return undefined
  const least = sum(swaps.map(({ floor }) => floor))
  const sold = soldBy(first.sell, sum(swaps.map(({ amount }) => amount)), on)
  const out = received(first, least, known, on)
  if (sold === undefined || out === undefined) return undefined
  return { kind: 'swap', router: on.to, value: on.value, ...sold, ...out }
}

/** All value is sold: without a refund the router keeps the rest. */
function soldBy(sell: Address, amount: bigint, { value, wrapped }: CallContext) {
  if (value === 0n) return sell === nativeTokenAddress ? undefined : { sell, amount }
  const isCoin = sell === nativeTokenAddress || wrapped.includes(sell)
  return isCoin && amount <= value ? { sell: nativeTokenAddress, amount: value } : undefined
}

function received(swap: DecodedSwap, least: bigint, steps: Step[], { to: router, wrapped }: CallContext) {
  const buy = swap.buy as Address
  if (swap.receiver !== router) return { buy, floor: least, receiver: swap.receiver }
  const payouts = steps.flatMap((step) => (step.kind === 'payout' ? [step] : []))
  const isOfBought = ({ token }: { token: Address }) =>
    token === buy || (token === nativeTokenAddress && wrapped.includes(buy))
  const [payout, second] = payouts.filter(isOfBought)
  if (payout === undefined || second !== undefined || payout.to === router) return undefined
  const lastSwap = steps.findLastIndex(({ kind }) => kind === 'swap')
  if (steps.indexOf(payout) < lastSwap) return undefined
  return { buy: payout.token, floor: payout.min > least ? payout.min : least, receiver: payout.to }
}

function createStepReader(swaps: CallDecoder[]) {
  const others = new Map([...payoutReaders(), ...harmlessReaders()].map((each) => [each.selector, each]))
  const bySelector = new Map(swaps.map((each) => [each.selector, each]))
  return (data: Hex, on: CallContext): Step | undefined => {
    const selector = data.slice(0, 10) as Hex
    const other = others.get(selector)
    if (other !== undefined) return other.read(data, on)
    // Value is counted once, for all steps.
    const words = bySelector.get(selector)?.read(data, { ...on, value: 0n })
    return words?.kind === 'swap' ? { kind: 'swap', words } : undefined
  }
}

function payoutReaders(): CallDecoder<Step>[] {
  const payout = (token: string, min: bigint, to: string): Step => ({
    kind: 'payout',
    token: toLower(token),
    min,
    to: toLower(to),
  })
  return [
    defineDecoder('function unwrapWETH9(uint256, address) payable', ([min, to]) =>
      payout(nativeTokenAddress, min, to),
    ),
    defineDecoder('function unwrapWETH9(uint256) payable', ([min], { account }) =>
      payout(nativeTokenAddress, min, account),
    ),
    defineDecoder('function sweepToken(address, uint256, address) payable', ([token, min, to]) =>
      payout(token, min, to),
    ),
    defineDecoder('function sweepToken(address, uint256) payable', ([token, min], { account }) =>
      payout(token, min, account),
    ),
  ]
}

/** The simulation reads the allowances that the permits leave. */
function harmlessReaders(): CallDecoder<Step>[] {
  const permit = (name: string) =>
    defineDecoder<string, Step>(
      `function ${name}(address, uint256, uint256, uint8, bytes32, bytes32) payable`,
      () => ({ kind: 'other' }),
    )
  return [
    defineDecoder('function refundETH() payable', () => ({ kind: 'other' })),
    permit('selfPermit'),
    permit('selfPermitIfNecessary'),
    permit('selfPermitAllowed'),
    permit('selfPermitAllowedIfNecessary'),
  ]
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
