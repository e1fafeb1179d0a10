import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'

export type WorkerLook = {
  heapMb: number
  /** Uncaught and logged errors since start. */
  errors: string[]
}

/** Collects garbage first; undefined without a worker. */
export async function lookAtWorker({ context }: Browser): Promise<WorkerLook | undefined> {
  const browser = await context.browser()?.newBrowserCDPSession()
  if (browser === undefined) throw new Error('The browser has no DevTools.')
  try {
    const { targetInfos } = await browser.send('Target.getTargets')
    const target = targetInfos.find(({ type }) => type === 'service_worker')
    if (target === undefined) return undefined
    const errors: string[] = []
    const { send, close } = await attach(browser, target.targetId, ({ method, params }) => {
      const said = method === undefined ? undefined : errorOf(method, params)
      if (said !== undefined) errors.push(said)
    })
    // Replays earlier events.
    await send('Runtime.enable')
    await send('HeapProfiler.collectGarbage')
    await send('HeapProfiler.collectGarbage')
    const { usedSize } = (await send('Runtime.getHeapUsage')) as { usedSize: number }
    await close()
    return { heapMb: usedSize / 2 ** 20, errors }
  } finally {
    await browser.detach().catch(() => undefined)
  }
}

/** Live heap, including some 0.6 MB of Playwright. */
export async function pageHeapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

/** Sums the processes, shared pages in proportion. Linux only. */
export async function browserMb({ context }: Browser): Promise<number> {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await session?.send('SystemInfo.getProcessInfo')) ?? {}
  await session?.detach()
  const kilobytes = processInfo.map(({ id }) => {
    const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0)
  })
  return kilobytes.reduce((sum, one) => sum + one, 0) / 1_024
}

type Message = { id?: number; method?: string; params?: unknown; result?: unknown }

/** Workers are reached through the browser's session. */
async function attach(browser: CDPSession, targetId: string, hear: (message: Message) => void) {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false })
  const open = new Map<number, (result: unknown) => void>()
  browser.on('Target.receivedMessageFromTarget', ({ message }) => {
    const said = JSON.parse(message) as Message
    if (said.id === undefined) hear(said)
    else open.get(said.id)?.(said.result)
  })
  let lastId = 0
  return {
    /** Throws when the target is gone. */
    async send(method: string): Promise<unknown> {
      const id = ++lastId
      const answered = new Promise((resolve, reject) => {
        open.set(id, resolve)
        setTimeout(reject, 20_000, new Error(`${method}: the worker did not answer.`)).unref()
      })
      await browser.send('Target.sendMessageToTarget', {
        sessionId,
        message: JSON.stringify({ id, method }),
      })
      return answered
    },
    close: () => browser.send('Target.detachFromTarget', { sessionId }).catch(() => undefined),
  }
}

function errorOf(method: string, params: unknown): string | undefined {
  if (method === 'Runtime.exceptionThrown') {
    const { exceptionDetails } = params as {
      exceptionDetails: { text: string; exception?: { description?: string } }
    }
    return (exceptionDetails.exception?.description ?? exceptionDetails.text).split('\n')[0]
  }
  if (method !== 'Runtime.consoleAPICalled') return undefined
  const { type, args } = params as { type: string; args: { value?: unknown; description?: string }[] }
  if (type !== 'error') return undefined
  return args.map(({ value, description }) => String(value ?? description)).join(' ')
}
