import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { chromiumArguments, chromiumPath } from './browser.ts'

export type Target = { targetId: string; type: string; subtype?: string; title: string; url: string }

/** Chromium with bfcache and prerendering, which Playwright disables. */
export type DevTools = {
  /** Includes prerendered pages and workers. */
  targets(): Promise<Target[]>
  open(url: string): Promise<Target>
  close(target: Target): Promise<void>
  /** Detaches afterwards: attached documents are not cached. */
  evaluate<Result, Argument = undefined>(
    target: Target,
    work: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  stopWorkers(target: Target): Promise<void>
  stop(): Promise<void>
}

/** An empty `profile` is a fresh wallet. */
export function startDevTools({ extension, profile }: { extension: string; profile: string }): DevTools {
  const chromium = spawn(
    chromiumPath(),
    [
      '--headless=new',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      ...chromiumArguments(extension),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const send = talk(chromium)

  async function attached<T>({ targetId }: Target, work: (sessionId: string) => Promise<T>): Promise<T> {
    const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    try {
      return await work(sessionId)
    } finally {
      await send('Target.detachFromTarget', { sessionId }).catch(() => undefined)
    }
  }

  async function targets(): Promise<Target[]> {
    const filter = [{}]
    return (await send<{ targetInfos: Target[] }>('Target.getTargets', { filter })).targetInfos
  }

  return {
    targets,
    async close({ targetId }) {
      await send('Target.closeTarget', { targetId })
    },
    async open(url) {
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', { url })
      return { targetId, type: 'page', title: '', url }
    },
    evaluate: (target, work, argument) =>
      attached(target, async (sessionId) => {
        const expression = `(${work})(${JSON.stringify(argument)})`
        const options = { expression, awaitPromise: true, returnByValue: true }
        const { result, exceptionDetails } = await send<Evaluated>('Runtime.evaluate', options, sessionId)
        if (exceptionDetails === undefined) return result.value as never
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
      }),
    stopWorkers: (target) =>
      attached(target, async (sessionId) => {
        await send('ServiceWorker.enable', {}, sessionId)
        await send('ServiceWorker.stopAllWorkers', {}, sessionId)
      }),
    async stop() {
      if (chromium.exitCode !== null) return
      const gone = once(chromium, 'exit')
      await send('Browser.close').catch(() => undefined)
      await gone
    },
  }
}

type Evaluated = {
  result: { value?: unknown }
  exceptionDetails?: { text: string; exception?: { description?: string } }
}
type Answer = { id?: number; result?: unknown; error?: { message: string } }
type Send = <Result>(method: string, params?: object, sessionId?: string) => Promise<Result>

/** Zero-terminated JSON over descriptors 3 and 4. */
function talk({ stdio }: ChildProcess): Send {
  const [, , , input, output] = stdio as unknown as [null, null, null, Writable, Readable]
  const open = new Map<number, (answer: Answer) => void>()
  let lastId = 0
  let rest = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const texts = (rest + chunk).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const answer = JSON.parse(text) as Answer
      if (answer.id !== undefined) open.get(answer.id)?.(answer)
    }
  })
  const fail = (why: string) => {
    for (const hear of open.values()) hear({ error: { message: why } })
  }
  output.on('close', () => fail('Chromium is gone.'))
  input.on('error', () => fail('Chromium is gone.'))

  return <Result>(method: string, params: object = {}, sessionId?: string) =>
    new Promise<Result>((resolve, reject) => {
      const id = ++lastId
      open.set(id, ({ result, error }) => {
        open.delete(id)
        if (error === undefined) resolve(result as Result)
        else reject(new Error(`${method}: ${error.message}`))
      })
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    })
}
