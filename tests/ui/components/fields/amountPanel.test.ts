import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AmountPanel, type AmountProps } from '../../../../src/ui/components/fields/AmountPanel.tsx'
import { clearDocument, draw, Node, standInDocument } from '../../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const props: AmountProps = {
  id: 'sell-amount',
  label: 'You sell',
  typed: '60000',
  follows: undefined,
  isWaiting: false,
  isOld: false,
  fault: undefined,
  onInput: () => undefined,
  token: undefined,
  balance: undefined,
  chooseLabel: 'Token to sell',
  onChoose: () => undefined,
  value: '',
}

it('selects the amount when its unit changes under the cursor, so that typing replaces it', async () => {
  const select = vi.fn()
  Object.assign(Node.prototype, { select })
  const heard = vi.fn()
  const place = await draw(
    h(AmountPanel, { ...props, currency: { sign: '$', decimals: 2 }, onFocusChange: heard }),
  )
  await act(async () => fire(find(place, 'input'), 'focus'))
  expect(heard).toHaveBeenLastCalledWith(true)
  expect(select).toHaveBeenCalledTimes(1)
  await draw(h(AmountPanel, { ...props, typed: '60001', currency: { sign: '$', decimals: 2 } }), place)
  expect(select).toHaveBeenCalledTimes(1)
  await draw(h(AmountPanel, { ...props, typed: '1' }), place)
  expect(select).toHaveBeenCalledTimes(2)
  await draw(h(AmountPanel, { ...props, typed: '10' }), place)
  expect(select).toHaveBeenCalledTimes(2)
})

function fire(node: Node | undefined, type: string): void {
  const listener = node?.listeners[type]
  if (typeof listener !== 'function') throw new Error(`no listener of ${Object.keys(node?.listeners ?? {})}`)
  listener.call(node, { type })
}

function find(node: Node, name: string): Node | undefined {
  if (node.localName === name) return node
  return node.childNodes.map((child) => find(child, name)).find((found) => found !== undefined)
}
