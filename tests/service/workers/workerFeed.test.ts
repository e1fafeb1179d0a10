import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Update } from '../../../service/indexer/update.ts'
import { createIpcRpc } from '../../../service/workers/ipcRpc.ts'
import type { PrimaryApi } from '../../../service/workers/protocol.ts'
import { createWorkerFeed } from '../../../service/workers/workerFeed.ts'

function channel() {
  const make = () => Object.assign(new EventEmitter(), { send: (_message: unknown): boolean => false })
  const [one, other] = [make(), make()]
  for (const [from, to] of [[one, other] as const, [other, one] as const]) {
    from.send = (message) => {
      const copy = structuredClone(message)
      setImmediate(() => to.emit('message', copy))
      return true
    }
  }
  return [one, other] as const
}

const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}` as const

function update(number: number, after?: number): Update {
  const block = { number: BigInt(number), hash: hashOf(number), parentHash: hashOf(number - 1) }
  return {
    ...(after === undefined ? {} : { after: hashOf(after) }),
    block: { ...block, timestamp: 0n, baseFeePerGas: 0n },
    tip: 1n,
    pools: [],
  }
}

it('requests a full update when a change is missing', async () => {
  const [here, there] = channel()
  const joins: number[] = []
  let newest = update(1)
  createIpcRpc(there, {
    join() {
      joins.push(Number(newest.block.number))
      relay.update(newest)
    },
    refresh() {},
  })
  const relay = createWorkerFeed(createIpcRpc<PrimaryApi>(here, {}))
  const taken: string[] = []
  await relay.start(
    async ({ block, after }) => void taken.push(`${after === undefined ? 'all' : 'change'} ${block.number}`),
  )

  relay.update(update(2, 1))
  newest = update(5)
  relay.update(update(4, 3))
  relay.update(update(5, 4))
  await relay.refresh()
  relay.update(update(6, 5))
  await relay.check({ at: 1, everyMs: 1 })
  expect(taken).toEqual(['all 1', 'change 2', 'all 5', 'change 6'])
  expect(joins).toEqual([1, 5])
})

it('forwards errors of the other process and rejects pending calls when it disconnects', async () => {
  const [here, there] = channel()
  createIpcRpc(there, {
    refresh() {
      throw Object.assign(new Error('The node is away.'), { code: 'AWAY' })
    },
    join: () => new Promise(() => {}),
  })
  const line = createIpcRpc<PrimaryApi>(here, {})
  await expect(line.ask('refresh')).rejects.toMatchObject({ message: 'The node is away.', code: 'AWAY' })
  const waiting = line.ask('join')
  here.emit('disconnect')
  await expect(waiting).rejects.toThrow('gone')
})

it('calls only the given methods and ignores malformed messages', async () => {
  const [here, there] = channel()
  let refreshes = 0
  createIpcRpc(there, { refresh: () => refreshes++ })
  const line = createIpcRpc<Record<string, (...given: unknown[]) => unknown>>(here, {})
  for (const name of ['constructor', '__proto__', 'toString', 'nothing']) {
    await expect(line.ask(name)).rejects.toThrow(`There is no ${name}.`)
  }
  for (const message of [null, 1, 'x', { question: 1 }, { question: 1, name: 'refresh' }, { answer: 'x' }]) {
    there.emit('message', message)
  }
  await line.ask('refresh')
  expect(refreshes).toBe(1)
})
