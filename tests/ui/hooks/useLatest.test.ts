import { h } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { useLatest } from '../../../src/ui/hooks/useLatest.ts'
import { clearDocument, draw, Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

it('keeps the last defined value until the next one arrives', async () => {
  const place = new Node('main')
  const Shower = ({ value }: { value: number | undefined }) => h('p', {}, `${useLatest(value)}`)
  const drawn: string[] = []
  for (const value of [undefined, 1, undefined, 2]) drawn.push((await draw(h(Shower, { value }), place)).text)
  expect(drawn).toEqual(['undefined', '1', '1', '2'])
})
