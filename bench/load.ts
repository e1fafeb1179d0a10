import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Load } from './client.ts'
import type { Times } from './stats.ts'

export type Loaded = { times: Times; perSecond: number; refused: number }

/** Requests every URL once from another process. Throws unless all are 200. */
export async function load(urls: string[], connections: number): Promise<Loaded> {
  const client = fork(join(import.meta.dirname, 'client.ts'))
  const told: Promise<[Loaded]> = once(client, 'message') as Promise<[Loaded]>
  const ended = once(client, 'exit')
  client.send({ urls, connections } satisfies Load)
  const first = await Promise.race([told, ended.then(() => undefined)])
  if (first === undefined) throw new Error('The bench client ended before it had asked everything.')
  await ended
  const [loaded] = first
  if (loaded.refused > 0)
    throw new Error(`${loaded.refused} of ${urls.length} requests were not answered with 200.`)
  return loaded
}
