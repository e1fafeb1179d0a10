import { createApprovals, type Executor } from '../../../src/background/approvals/approvals.ts'
import type { Requester } from '../../../src/background/approvals/store.ts'
import type { StorageArea } from '../../../src/background/storage.ts'
import type { Approval, DappRequest, Decision } from '../../../src/domain/dapp/approval.ts'
import type { SwapIntent } from '../../../src/domain/swap/swap.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { createDesktop, windowOn } from './windows.ts'

export const site = 'https://a.example'
export const account = `0x${'11'.repeat(20)}` as const
export const minute = 60_000

export const connect: DappRequest = { kind: 'connect', accounts: [] }
export const sign: DappRequest = { kind: 'sign-message', account, message: '0x1234' }
export const swap: DappRequest = {
  kind: 'swap',
  request: { id: 'mine', type: 'sell', amount: 5n, chainId: 1, from: account },
}
export const yes: Decision = { kind: 'sign-message' }
export const intent: SwapIntent = {
  id: 'ef'.repeat(16),
  account,
  trade: { chainId: 1, sell: nativeTokenAddress, buy: account, amount: 5n },
  slippageBps: 50,
  floor: 1n,
  router: account,
  feeCap: 1n,
}

export function createBrowser() {
  const session = memoryArea()
  const place = createDesktop()
  const clock = { ms: 1_000_000 }
  const effects: string[] = []
  const browser = {
    session,
    desktop: place.desktop,
    clock,
    /** Executors are idempotent, so each id counts once. */
    effects,
    isThere: (_documentId: string): boolean => true,
    perform: (async (approval) => {
      if (!effects.includes(approval.id)) effects.push(approval.id)
      return { signed: approval.id, worth: 7n }
    }) as Executor,
    /** Stops the last worker, whose promises never settle. */
    start() {
      let isAlive = true
      const told: Approval[][] = []
      browser.kill()
      browser.kill = () => {
        isAlive = false
        place.desktop.forget()
      }
      const alive = <T>(act: () => Promise<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          setImmediate(() => {
            if (!isAlive) return
            act().then(
              (value) => isAlive && resolve(value),
              (error) => isAlive && reject(error),
            )
          })
        })
      const area: StorageArea & { items: Map<string, string> } = {
        items: session.items,
        get: (key) => alive(() => session.get(key)),
        set: (items) => alive(() => session.set(items)),
        remove: (keys) => alive(() => session.remove(keys)),
        all: () => alive(() => session.all()),
        clear: () => alive(() => session.clear()),
      }
      const windows = {
        ...place.windows,
        create: (data: object) => alive(() => place.windows.create(data)),
        update: (id: number, info: object) => alive(() => place.windows.update(id, info)),
      }
      const now = () => clock.ms
      const approvals = createApprovals({
        session: area,
        window: windowOn({ ...place, windows }, area, now),
        check: async () => undefined,
        perform: (approval, decision, at) => alive(() => browser.perform(approval, decision, at)),
        onChange: (open) => told.push(open),
        isThere: (documentId) => browser.isThere(documentId),
        now,
      })
      return {
        ...approvals,
        told,
        put: (ask: DappRequest, over?: Partial<Requester>) =>
          follow(approvals.ask(from(over), ask, { chainId: 1 })),
        only: async () => (await approvals.list())[0]!,
      }
    },
    kill: () => undefined as unknown,
  }
  return browser
}

let asked = 0

export function from(over: Partial<Requester> = {}): Requester {
  return { origin: site, documentId: 'one', tabId: 1, requestId: ++asked, ...over }
}

export function follow(promise: Promise<unknown>) {
  const seen = { answers: [] as unknown[] }
  promise.then(
    (value) => seen.answers.push(value),
    (error) => seen.answers.push(error instanceof WalletError ? (error.facts.reason ?? error.code) : error),
  )
  return seen
}

export async function settled(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
}
