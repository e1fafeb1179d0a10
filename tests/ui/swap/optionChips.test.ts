import { h } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { SwapSource } from '../../../src/domain/swap/routeOptions.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { OptionChips } from '../../../src/ui/swap/OptionChips.tsx'
import { local } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

async function chipsOf(serviceUrl: string, source?: SwapSource): Promise<string> {
  const receiver = `0x${'1'.repeat(40)}`
  const trade = createStore(() => ({ receiver, excluded: ['UNISWAP_V3'], allowPartialFill: true, source }))
  const stores = { trade } as unknown as Stores
  const chips = h(OptionChips, { network: { ...local, serviceUrl } })
  return (await draw(h(StoresProvider, { value: stores, children: chips }))).text
}

it('lists the options of the swap service only while it is in use', async () => {
  const service = await chipsOf('https://swap.example')
  expect(service).toContain('Partial fill allowed')
  expect(service).toContain('Excluding')
  for (const direct of [await chipsOf(''), await chipsOf('https://swap.example', 'direct')]) {
    expect(direct).toContain('To 0x')
    expect(direct).not.toContain('Partial fill allowed')
    expect(direct).not.toContain('Excluding')
  }
})
