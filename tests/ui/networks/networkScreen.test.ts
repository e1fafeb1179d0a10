import { h } from 'preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { createUnsavedEdits } from '../../../src/state/drafts/unsavedEdits.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { NetworkScreen } from '../../../src/ui/networks/NetworkScreen.tsx'
import type { ScreenProps } from '../../../src/ui/screenProps.ts'
import { local, settings } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(() => {
  standInDocument()
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
})
afterEach(clearDocument)

async function drawScreen(serviceUrl: string): Promise<string> {
  const drafts = Object.assign(
    createStore(() => ({})),
    { edit: () => undefined, drop: () => undefined },
  )
  const health = { look: async () => [] }
  const shown = { ...settings, networks: [{ ...local, serviceUrl }] }
  const stores = {
    get: (create: unknown) => (create === createUnsavedEdits ? drafts : health),
    settings: createStore(() => ({ settings: shown })),
    router: { back: () => undefined },
  } as unknown as Stores
  const props = { settings: shown, of: String(local.chainId) } as ScreenProps
  return (await draw(h(StoresProvider, { value: stores, children: h(NetworkScreen, props) }))).text
}

it('shows the routing settings only with a swap service', async () => {
  expect(await drawScreen('https://swap.example')).toContain('Routes')
  const direct = await drawScreen('')
  expect(direct).toContain('RPC URL')
  expect(direct).not.toContain('Routes')
})
