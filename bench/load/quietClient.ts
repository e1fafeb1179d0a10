import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { summarise, type Times } from '../stats.ts'

export type Quiet = { times: Times; byStatus: Record<string, number> }

export type QuietOptions = {
  url: string
  paths: string[]
  first: number
  everyMs: number
  localAddress?: string
  key?: string
}

/**
 * Asks at fixed times, whether or not earlier answers have arrived, each on a connection of its own. Ends
 * with `signal`, after the last answer. Failed requests count with the time they took.
 */
export async function askQuietly(options: QuietOptions, signal: AbortSignal): Promise<Quiet> {
  const { paths, first, everyMs } = options
  const asked: Promise<{ status: string; ms: number }>[] = []
  const started = performance.now()
  for (let i = 0; !signal.aborted; i++) {
    const path = paths[(first + i) % paths.length] ?? ''
    asked.push(
      ask(
        path.replace(/\d+$/, (amount) => String(BigInt(amount) + BigInt(first + i))),
        options,
      ),
    )
    await sleep(Math.max(0, started + (i + 1) * everyMs - performance.now()))
  }
  const answers = await Promise.all(asked)
  const byStatus: Record<string, number> = {}
  for (const { status } of answers) byStatus[status] = (byStatus[status] ?? 0) + 1
  return { times: summarise(answers.map(({ ms }) => ms)), byStatus }
}

function ask(
  path: string,
  { url, key, localAddress }: QuietOptions,
): Promise<{ status: string; ms: number }> {
  const started = performance.now()
  return new Promise((resolve) => {
    const end = (status: string) => resolve({ status, ms: performance.now() - started })
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const options = { agent: false, headers, ...(localAddress === undefined ? {} : { localAddress }) }
    const request = get(new URL(path, url), options, (answer) => {
      answer.resume()
      answer.once('end', () => end(String(answer.statusCode)))
    })
    request.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    request.setTimeout(30_000, () => request.destroy(new Error('TIMEOUT')))
  })
}
