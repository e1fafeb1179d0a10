import type { IncomingMessage } from 'node:http'
import type { Hex } from 'viem'
import { startHttpServer } from '../httpServer.ts'
import { decodeRouteWords, encodeRouteWords, type RouteWords } from '../routeWords.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are bent here
type Answer = any

type Changes = Record<string, string | undefined>

/** End of its path. */
type Operation = 'quote' | 'swap' | 'approve/spender' | 'approve/transaction'

/** A string is sent as is, anything else as JSON. */
export type Lie = Bend | { of: Operation; answer: unknown }

export type Bend = {
  of: Operation
  /** `ask` returns the honest answer to changed parameters. */
  tell(honest: Answer, ask: (changes: Changes) => Promise<Answer>, asked: URLSearchParams): unknown
}

/** Starts a proxy before the service that falsifies answers. Errors pass unchanged. */
export async function startLiar(target: string) {
  let lies: Lie[] = []
  const proxy = await startProxy(async ({ url = '/' }) => {
    const asked = new URL(url, target)
    const get = async (to: URL) => {
      const answer = await fetch(to)
      return { status: answer.status, text: await answer.text() }
    }
    const said = (told: unknown) => ({
      status: 200,
      text: typeof told === 'string' ? told : JSON.stringify(told),
    })
    const told = lies.find((lie) => asked.pathname.endsWith(`/${lie.of}`))
    if (told !== undefined && 'answer' in told) return said(told.answer)
    const honest = await get(asked)
    if (told === undefined || honest.status !== 200) return honest
    const ask = async (changes: Changes) => {
      const other = new URL(asked)
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) other.searchParams.delete(name)
        else other.searchParams.set(name, value)
      }
      return JSON.parse((await get(other)).text)
    }
    return said(await told.tell(JSON.parse(honest.text), ask, asked.searchParams))
  })
  return {
    ...proxy,
    /** One per operation; none: honest. */
    tell(...next: (Lie | undefined)[]) {
      lies = next.filter((lie) => lie !== undefined)
    },
  }
}

/** Starts a proxy before a node that records raw transactions. */
export async function startTap(target: string) {
  const sent: Hex[] = []
  const proxy = await startProxy(async (_request, body) => {
    const asked = [JSON.parse(body)].flat() as { method: string; params: Hex[] }[]
    for (const { method, params } of asked) if (/^eth_send/.test(method)) sent.push(params[0]!)
    const answer = await fetch(target, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    return { status: answer.status, text: await answer.text() }
  })
  return { ...proxy, sent }
}

function startProxy(
  answer: (request: IncomingMessage, body: string) => Promise<{ status: number; text: string }>,
) {
  return startHttpServer(async (request, response, body) => {
    const { status, text } = await answer(request, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
}

export const thief = '0xbad0000000000000000000000000000000000002'
export const routerOfEthereum = '0x8ad8b1139664ea2000ba0a30993588ac6ea6e7ac'

// Word indices (contracts/ISwapRouter.sol).
const words = { executor: 0, sell: 1, buy: 2, srcReceiver: 3, receiver: 4, amount: 5, floor: 6, flags: 7 }
export type Word = keyof typeof words

export function readWord(data: Hex, word: Word): bigint {
  return BigInt(`0x${data.slice(10 + 64 * words[word], 74 + 64 * words[word])}`)
}

export function writeWord(data: Hex, word: Word, value: bigint): Hex {
  const at = 10 + 64 * words[word]
  return `${data.slice(0, at)}${value.toString(16).padStart(64, '0')}${data.slice(at + 64)}` as Hex
}

function addressIn(data: Hex, word: Word): string {
  return `0x${readWord(data, word).toString(16).padStart(40, '0')}`
}

/** Replaces the route in the general entry point's `data`. */
function reroute(data: Hex, change: (route: RouteWords) => RouteWords): Hex {
  const head = data.slice(0, 10 + 64 * 9)
  const length = Number(BigInt(`0x${data.slice(10 + 64 * 9, 10 + 64 * 10)}`))
  const bytes = encodeRouteWords(change(decodeRouteWords(`0x${data.slice(650, 650 + 2 * length)}`))).slice(2)
  return `${head}${(bytes.length / 2).toString(16).padStart(64, '0')}${bytes}` as Hex
}

const tx = (change: (tx: Answer, honest: Answer) => object): Bend => ({
  of: 'swap',
  tell: (honest) => ({ ...honest, tx: { ...honest.tx, ...change(honest.tx, honest) } }),
})
const word = (name: Word, value: (before: bigint) => bigint): Bend =>
  tx(({ data }) => ({ data: writeWord(data, name, value(readWord(data, name))) }))
const selector = (bytes: string): Bend => tx(({ data }) => ({ data: `0x${bytes}${data.slice(10)}` }))
const route = (change: (route: RouteWords) => RouteWords): Bend =>
  tx(({ data }) => ({ data: reroute(data, change) }))
const approval = (change: (answer: Answer) => object): Bend => ({
  of: 'approve/transaction',
  tell: (honest) => ({ ...honest, ...change(honest) }),
})
const swapText = (tell: (honest: string) => unknown): Bend => ({
  of: 'swap',
  tell: (honest) => tell(JSON.stringify(honest)),
})

function askBack({ tx: { data } }: Answer, ask: (changes: Changes) => Promise<Answer>): Promise<Answer> {
  const [src, dst] = [addressIn(data, 'buy'), addressIn(data, 'sell')]
  return ask({
    src,
    dst,
    amount: String(10n ** 18n),
    forceApprove: 'true',
    slippage: '1',
    minReturn: undefined,
  })
}

/** Every lie we know. */
export const lies = {
  'another router': tx(() => ({ to: thief })),
  'a router of another chain': tx(() => ({ to: routerOfEthereum })),
  'the token as the target': tx(({ data }) => ({
    to: addressIn(data, 'buy'),
  })),
  'another spender': { of: 'approve/spender', tell: () => ({ address: thief }) },
  'a spender of another chain': { of: 'approve/spender', tell: () => ({ address: routerOfEthereum }) },
  'another sender': tx(() => ({ from: thief })),
  'another receiver': word('receiver', () => BigInt(thief)),
  'the router as the receiver': tx(({ data, to }) => ({ data: writeWord(data, 'receiver', BigInt(to)) })),
  'a floor one unit lower': word('floor', (floor) => floor - 1n),
  'no floor': word('floor', () => 0n),
  'one wei more along': tx(({ value }) => ({ value: String(BigInt(value) + 1n) })),
  'no coins along': tx(() => ({ value: '0' })),
  'another token sold': word('sell', () => BigInt(thief)),
  'another token bought': word('buy', () => BigInt(thief)),
  'a larger amount': word('amount', (amount) => amount + 1n),
  'a smaller amount': word('amount', (amount) => amount - 1n),
  'a partial fill': word('flags', () => 1n),
  'a pull through Permit2': word('flags', () => 4n),
  'an unknown flag': word('flags', () => 1n << 255n),
  'bytes above an address': word('buy', (buy) => buy + (1n << 160n)),
  'bytes behind the calldata': tx(({ data }) => ({ data: `${data}${'00'.repeat(32)}` })),
  'calldata cut short': tx(({ data }) => ({ data: data.slice(0, -64) })),
  'no calldata': tx(() => ({ data: '0x' })),
  permitAndCall: selector('5816d723'),
  unoswap: selector('83800a8e'),
  'a short entry point': tx(({ data }) => ({
    data: `0x83800a8e${(['sell', 'amount', 'floor', 'buy'] as const)
      .map((name) => readWord(data, name).toString(16).padStart(64, '0'))
      .join('')}`,
  })),
  'a function nobody knows': selector('deadbeef'),
  'an approval instead of a swap': tx(({ data }) => ({
    data: `0x095ea7b3${thief.slice(2).padStart(64, '0')}${'f'.repeat(64)}`,
    to: addressIn(data, 'sell'),
  })),
  'more gas than a block has': tx(() => ({ gas: 60_000_000 })),
  'ten times the gas': tx(({ gas }) => ({ gas: gas * 10 })),
  'a hundredth of the gas': tx(({ gas }) => ({ gas: Math.floor(gas / 100) })),
  'a price ten percent better': {
    of: 'swap',
    tell(honest) {
      const better = (amount: bigint) => (amount * 11n) / 10n
      // Compensates for rounding.
      const data = writeWord(honest.tx.data, 'floor', better(readWord(honest.tx.data, 'floor')) + 2n)
      return { ...honest, dstAmount: String(better(BigInt(honest.dstAmount))), tx: { ...honest.tx, data } }
    },
  },
  'the answer to the way back': { of: 'swap', tell: askBack },
  'the way back under the names of the way there': {
    of: 'swap',
    async tell(honest, ask) {
      const { srcToken, dstToken, protocols } = honest
      return { ...(await askBack(honest, ask)), srcToken, dstToken, protocols }
    },
  },
  'a fee for the thief': route((route) => ({ ...route, feePpm: 30_000, referrer: thief })),
  'a fee that the slippage hides': route((route) => ({ ...route, feePpm: 4_000, referrer: thief })),
  'no deadline': route((route) => ({ ...route, deadline: 2n ** 48n - 1n })),
  'a deadline of tomorrow': route((route) => ({ ...route, deadline: route.deadline + 86_400n })),
  'a deadline that is over': route((route) => ({ ...route, deadline: 1n })),
  'another referrer': route((route) => ({ ...route, referrer: thief })),
  'a route that counts more connectors than it has': tx(({ data }) => ({
    data: `${data.slice(0, 650 + 2 * 29)}ff${data.slice(650 + 2 * 30)}`,
  })),
  'a thief for an executor': word('executor', () => BigInt(thief)),
  'a pool that is none': route((route) => ({
    ...route,
    branches: route.branches.map(({ weight, hops }) => ({
      weight,
      hops: hops.map((hop) => ({ ...hop, pool: thief })),
    })),
  })),
  'an unlimited approval': approval(({ data }) => ({ data: `${data.slice(0, 74)}${'f'.repeat(64)}` })),
  'an approval for somebody else': approval(({ data }) => ({
    data: `${data.slice(0, 10)}${thief.slice(2).padStart(64, '0')}${data.slice(74)}`,
  })),
  'an approval of another token': approval(() => ({ to: thief })),
  'an approval with coins': approval(() => ({ value: '1' })),
  'a page of HTML': swapText(() => '<!doctype html><h1>Welcome</h1>'),
  'JSON that ends early': swapText((honest) => honest.slice(0, -20)),
  'nothing at all': swapText(() => ''),
  'an empty object': swapText(() => ({})),
  'a list': swapText(() => []),
  'amounts below zero': tx(() => ({ value: '-1' })),
  'amounts with a point': tx(() => ({ value: '1.5' })),
  'numbers where text should be': tx(() => ({ data: 7, to: null })),
  'half an address': tx(({ to }) => ({ to: to.slice(0, 20) })),
  'half a byte': tx(({ data }) => ({ data: `${data}0` })),
  'gas below zero': tx(() => ({ gas: -1 })),
  'a return of nothing': { of: 'swap', tell: (honest) => ({ ...honest, dstAmount: '0' }) },
  'no transaction': { of: 'swap', tell: ({ tx: _tx, ...honest }) => honest },
} as const satisfies Record<string, Bend>
