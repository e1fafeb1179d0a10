import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Stores } from '../../../../src/state/stores.ts'
import { StoresProvider } from '../../../../src/ui/hooks/data/useStore.ts'
import { ImportPhrase } from '../../../../src/ui/onboarding/import/ImportPhrase.tsx'
import { clearDocument, draw, type Node, standInDocument } from '../../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

it('looks up words during an earlier lookup and keeps the newer result when the earlier one arrives late', async () => {
  const lookups: { cells: string[]; answer(indexes: number[]): void }[] = []
  const account = {
    suggestWords: async () => [],
    unknownWords: (cells: string[]) =>
      new Promise<number[]>((answer) => lookups.push({ cells: cells.filter(Boolean), answer })),
  }
  const stores = { account, purpose: 'form', place: {} } as unknown as Stores
  const form = h(ImportPhrase, { onBrought: () => undefined, onBack: () => undefined } as never)
  const place = await draw(h(StoresProvider, { value: stores, children: form }))
  const type = async (index: number, value: string) => {
    await fire(place, index, 'input', { currentTarget: { value } })
    await fire(place, index, 'blur', {})
  }

  await type(0, 'wife')
  await type(1, 'zzz')
  expect(lookups.map(({ cells }) => cells)).toEqual([['wife'], ['wife', 'zzz']])
  await act(async () => lookups[1]?.answer([1]))
  await act(async () => lookups[0]?.answer([]))
  expect(place.text).toContain('Word 2 isn’t in the word list.')
})

async function fire(place: Node, index: number, type: string, event: object): Promise<void> {
  const all = (node: Node): Node[] => [node, ...node.childNodes.flatMap(all)]
  const listenerOf = (node: Node) =>
    Object.entries(node.listeners).find(([name]) => name.toLowerCase() === type)?.[1]
  const cell = all(place).filter((node) => node.localName === 'input' && listenerOf(node))[index]
  const listener = cell && listenerOf(cell)
  if (typeof listener !== 'function') expect.fail(`Cell ${index} does not listen to ${type}.`)
  await act(async () => listener.call(cell, { type, ...event }))
}
