import { getUniswapPair } from '../network/markets.ts'
import { isPublicRouter } from '../swap/routers.ts'
import { type Address, type Hex, nativeTokenAddress } from '../token/token.ts'
import { readBytes, readItems, readOffset, readSize, toAddress } from './calldata.ts'
import type { Constants, PayoutTerms, Step, SwapTerms, Visitor } from './knownFunction.ts'
import { knownFunctions } from './knownFunctions.ts'
import { createExchange, type Exchange } from './routers/exchange.ts'
import { readUniversalCommand } from './routers/universalCommands.ts'
import { readV4Action } from './routers/v4Actions.ts'

// Lenient, for warnings only: a call is described only if its bytes encode back to themselves.

type Place = {
  to: Address
  account: Address
  chainId: number
  wrapped: readonly Address[]
}

export type Recipients = {
  names: string[]
  /** Distinct, without the account and the called contract. */
  foreign: Address[]
  /** False if a known function has an unread part. */
  isComplete: boolean
  exchange: Exchange | undefined
  isRefunded: boolean
}

/** Returns the recipients that `data` names. Never throws. */
export function readRecipients(data: Hex, place: Place): Recipients {
  const walk = createWalk(place)
  try {
    walk.visit(data.slice(2).toLowerCase())
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    walk.unread()
  }
  return walk.result()
}

/** Over all nested calls: offsets may reuse bytes. */
const maxBytes = 4_000_000
const maxForeign = 10
/** Total share that sites may take, in units of 10^-18. */
const maxFee = 3n * 10n ** 16n

const sender: Address = `0x${'1'.padStart(40, '0')}`

class TooMuch extends Error {}

function createWalk({ to, account, chainId, wrapped }: Place) {
  const names = new Set<string>()
  const foreign = new Set<Address>()
  const fees: { share: bigint; recipient: Address }[] = []
  const exchange = createExchange(wrapped)
  const isRouter = isPublicRouter(to, chainId)
  let isComplete = true
  let left = maxBytes
  let hasPart = false
  let hasUnknownPart = false
  let isRefunded = false
  let optional = 0

  const visitor: Visitor = {
    call,
    steps,
    recipient,
    fee,
    swap,
    payout,
    spends: exchange.sells,
    refunds,
    unread,
    pairOf,
  }

  function visit(hex: string): void {
    spend(hex.length / 2 + 32)
    const known = knownFunctions().get(hex.slice(0, 8))
    if (known === undefined) return
    names.add(known.name)
    hasPart ||= !known.isList
    attempt(() => known.read(hex.slice(8), visitor))
  }

  function call(hex: string): void {
    hasUnknownPart ||= !knownFunctions().has(hex.slice(0, 8))
    visit(hex)
  }

  function steps(kind: 'universal' | 'v4', hex: string): void {
    const codes = readBytes(hex, readOffset(hex, 0)).match(/../g) ?? []
    const items = readItems(hex, readOffset(hex, 32))
    spend(items.reduce((sum, item) => sum + readSize(hex, item) + 32, 0))
    const list = items.map(
      (item, index): Step => ({
        code: Number(`0x${codes[index]}`),
        input: hex.slice((item + 32) * 2),
        bytes: () => readBytes(hex, item),
      }),
    )
    if (codes.length !== list.length) unread()
    for (const [index, step] of list.slice(0, codes.length).entries()) {
      // It may fail, so it guarantees nothing.
      const isOptional = kind === 'universal' && (step.code & 0x80) !== 0
      optional += isOptional ? 1 : 0
      attempt(() =>
        kind === 'v4' ? readV4Action(step, visitor) : readUniversalCommand(step, list[index + 1], visitor),
      )
      optional -= isOptional ? 1 : 0
    }
  }

  function recipient(word: bigint, constants: Constants = 'numbered'): void {
    spend(32)
    if (isForeign(word, constants)) foreign.add(toAddress(word))
  }

  function fee(share: bigint, word: bigint, constants: Constants = 'numbered'): void {
    spend(32)
    if (isForeign(word, constants)) fees.push({ share, recipient: toAddress(word) })
  }

  function swap({ sell, buy, min, recipient: word, constants = 'numbered' }: SwapTerms): void {
    const isOwn = word === undefined || !isForeign(word, constants)
    if (!isOwn) recipient(word, constants)
    if (sell !== undefined) exchange.sells(sell)
    exchange.buys(buy, isOwn && optional === 0 ? min : 0n)
  }

  function payout({ token, min, recipient: word, constants = 'numbered' }: PayoutTerms): void {
    if (word !== undefined) recipient(word, constants)
    const isSender = word === undefined || (constants === 'numbered' && toAddress(word) === sender)
    if (!isSender && toAddress(word) !== account) return
    exchange.paysOut(token, optional === 0 ? min : 0n)
    isRefunded ||= token === nativeTokenAddress && optional === 0
  }

  function refunds(): void {
    isRefunded = true
  }

  function isForeign(word: bigint, constants: Constants): boolean {
    const address = toAddress(word)
    return address !== to && address !== account && !standsFor(BigInt(address), constants)
  }

  function unread(): void {
    isComplete = false
  }

  function pairOf(one: Address, other: Address): Address | undefined {
    return isRouter ? getUniswapPair(chainId, one, other) : undefined
  }

  function spend(bytes: number): void {
    left -= bytes
    if (left < 0) throw new TooMuch()
  }

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (error instanceof TooMuch) throw error
      unread()
    }
  }

  function result(): Recipients {
    const share = fees.reduce((sum, one) => sum + one.share, 0n)
    if (share > maxFee) for (const one of fees) foreign.add(one.recipient)
    // Unknown contracts have other lists of calls, for example of records.
    const isRead = isComplete && !(hasUnknownPart && (hasPart || isRouter))
    return {
      names: [...names],
      foreign: [...foreign].slice(0, maxForeign),
      isComplete: isRead && foreign.size <= maxForeign,
      exchange: exchange.result(),
      isRefunded,
    }
  }

  return { visit, unread, result }
}

function standsFor(number: bigint, constants: Constants): boolean {
  if (constants === 'none') return false
  return constants === 'zero' ? number === 0n : number === 1n || number === 2n
}
