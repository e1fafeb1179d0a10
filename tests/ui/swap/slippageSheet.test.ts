import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createUnsavedEdits } from '../../../src/state/drafts/unsavedEdits.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { SlippageSheet } from '../../../src/ui/swap/slippage/SlippageSheet.tsx'
import { standInSession } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

let shown: Node | undefined

beforeEach(standInDocument)
afterEach(async () => {
  // An open sheet would take the Escape of other tests.
  await draw(null, shown)
  await clearDocument()
})

async function sheet(value: number) {
  const chosen: (number | undefined)[] = []
  const onChoose = (bps: number | undefined) => void chosen.push(bps)
  const children = h(SlippageSheet, {
    title: 'Slippage',
    value,
    onChoose,
    onClose: () => undefined,
  })
  const kept = createUnsavedEdits(undefined, undefined, standInSession())
  const drawn = await draw(h(StoresProvider, { value: { get: () => kept } as unknown as Stores, children }))
  shown = drawn
  const type = (field: number, text: string) => hear(all(drawn, 'input')[field], 'input', { value: text })
  const submit = () => hear(all(drawn, 'form')[0], 'submit')
  return { drawn, chosen, type, submit }
}

function all(node: Node, name: string): Node[] {
  return [...(node.localName === name ? [node] : []), ...node.childNodes.flatMap((child) => all(child, name))]
}

function hear(node: Node | undefined, type: string, currentTarget: object = {}): Promise<void> {
  const listener = node?.listeners[type] as (event: object) => void
  return act(() => listener.call(node, { type, currentTarget, preventDefault: () => undefined }))
}

it('applies a slippage below 20% without confirmation', async () => {
  const { drawn, chosen, submit } = await sheet(1_999)
  expect(drawn.text).not.toContain('Re-enter to confirm')
  expect(drawn.text).toContain('Apply 19.99%')
  await submit()
  expect(chosen).toEqual([1_999])
})

it.each([2_000, 5_000])('applies %i basis points only after the same value is entered twice', async (bps) => {
  const { drawn, chosen, type, submit } = await sheet(bps)
  expect(drawn.text).toContain('Re-enter to confirm')
  for (const other of ['', '19.99', '49', 'x']) {
    await type(1, other)
    await submit()
    expect(drawn.text).toContain('Apply')
  }
  expect(chosen).toEqual([])
  await type(1, `${bps / 100}`)
  expect(drawn.text).toContain(`Apply ${bps / 100}%`)
  await submit()
  expect(chosen).toEqual([bps])
})

it('requires the confirmation again after the first value changed', async () => {
  const { chosen, type, submit } = await sheet(2_000)
  await type(1, '20')
  await type(0, '30')
  await submit()
  expect(chosen).toEqual([])
})
