import { expect, it } from 'vitest'
import type { CountedAs } from '../../../../service/http/clients.ts'
import { createFairOrder } from '../../../../service/http/scheduler/fairOrder.ts'

function fill(items: readonly (readonly [CountedAs, string])[]) {
  const order = createFairOrder<string>()
  for (const [client, item] of items) order.add(client, item)
  const takeAll = () => {
    const taken: string[] = []
    for (let item = order.take(); item !== undefined; item = order.take()) taken.push(item)
    return taken
  }
  return { order, takeAll }
}

const of = (client: string, count: number) =>
  Array.from({ length: count }, (_, i) => [[client], `${client}${i + 1}`] as const)

it('takes from each client in turn, and the items of a client in order of arrival', () => {
  const { takeAll } = fill([...of('a', 4), ...of('b', 2), ...of('c', 1)])
  expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

it('takes a newcomer before the further items of a client that was served', () => {
  const { order } = fill(of('busy', 100))
  for (let i = 0; i < 50; i++) order.take()
  order.add(['quiet'], 'quiet1')
  expect(order.take()).toBe('quiet1')
  expect(order.take()).toBe('busy51')
})

it('saves up no turns for a client that sent nothing', () => {
  const { order } = fill(of('busy', 100))
  for (let i = 0; i < 50; i++) order.take()
  for (const [client, item] of of('late', 10)) order.add(client, item)
  const taken = Array.from({ length: 10 }, () => order.take())
  expect(taken.filter((item) => item?.startsWith('late'))).toHaveLength(5)
})

it('passes over clients that are not free, and keeps their items', () => {
  const { order } = fill([...of('a', 2), ...of('b', 1)])
  expect(order.take(([name]) => name !== 'a')).toBe('b1')
  expect(order.take(([name]) => name !== 'a')).toBeUndefined()
  expect(order.size()).toBe(2)
  expect(order.take()).toBe('a1')
})

it('gives a /48 the turns of two addresses, however many networks it sends from', () => {
  const wide = Array.from({ length: 64 }, (_, i) => [[`/64 ${i}`, `/56 ${i >> 3}`, '/48'], 'wide'] as const)
  const { order } = fill([...wide, ...of('a', 40), ...of('b', 40)])
  const taken = Array.from({ length: 40 }, () => order.take()?.replace(/\d+/, ''))
  const count = (name: string) => taken.filter((item) => item === name).length
  expect([count('wide'), count('a'), count('b')]).toEqual([20, 10, 10])
})

it('forgets removed items, and clients without any', () => {
  const { order, takeAll } = fill([...of('a', 2), ...of('b', 1)])
  order.remove(['a'], 'a1')
  order.remove(['b'], 'b1')
  order.remove(['b'], 'b1')
  order.remove(['nobody'], 'x')
  expect(order.size()).toBe(1)
  expect(takeAll()).toEqual(['a2'])
})

it('stays fair over many thousands of clients', () => {
  const { order } = fill(of('busy', 3))
  for (let i = 0; i < 20_000; i++) {
    order.add([`client ${i}`], `client ${i}`)
    order.take()
  }
  order.add(['last'], 'last')
  expect(order.size()).toBe(4)
  expect(order.take()).not.toMatch(/^busy/)
})
