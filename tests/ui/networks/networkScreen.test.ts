import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { builtInNetworks } from '../../../src/config.ts'
import type { Settings } from '../../../src/domain/network/network.ts'
import type { NetworkFormValues } from '../../../src/domain/network/networkTexts.ts'
import type { PermittedChange } from '../../../src/domain/network/permittedChange.ts'
import { createUnsavedEdits } from '../../../src/state/drafts/unsavedEdits.ts'
import { getRpcChoices } from '../../../src/state/networks/networkForm.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { NetworkScreen } from '../../../src/ui/networks/NetworkScreen.tsx'
import type { ScreenProps } from '../../../src/ui/screenProps.ts'
import { local, settings, standInSession } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(() => {
  standInDocument()
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
})
afterEach(clearDocument)

async function drawScreen(shown: Settings, of: number, typed: Partial<NetworkFormValues> = {}) {
  const asked: PermittedChange[] = []
  const drafts = createUnsavedEdits(undefined, undefined, standInSession())
  drafts.edit(`network-${of}`, typed)
  const health = { look: async () => [] }
  const permit = async (change: PermittedChange) => void asked.push(change)
  const stores = {
    get: (create: unknown) => (create === createUnsavedEdits ? drafts : health),
    settings: Object.assign(
      createStore(() => ({ settings: shown })),
      { permit },
    ),
    router: { back: () => undefined },
  } as unknown as Stores
  const props = { settings: shown, of: String(of) } as ScreenProps
  const place = await draw(h(StoresProvider, { value: stores, children: h(NetworkScreen, props) }))
  return { place, asked, drafts }
}

const all = (node: Node): Node[] => [node, ...node.childNodes.flatMap(all)]

async function submit(place: Node): Promise<void> {
  const form = all(place).find(({ localName, listeners }) => localName === 'form' && listeners.submit)
  const listener = form?.listeners.submit as (event: object) => void
  await act(async () => listener.call(form, { type: 'submit', preventDefault: () => undefined }))
}

async function press(place: Node, name: string): Promise<void> {
  const button = all(place).find(({ localName, text }) => localName === 'button' && text.includes(name))
  const click = button?.listeners.click as ((event: object) => void) | undefined
  if (click === undefined) expect.fail(`There is no button ${name}.`)
  await act(async () => click.call(button, { type: 'click' }))
}

it('shows the routing settings only with a swap service', async () => {
  const textWith = async (serviceUrl: string) => {
    const shown = { ...settings, networks: [{ ...local, serviceUrl }] }
    return (await drawScreen(shown, local.chainId)).place.text
  }
  expect(await textWith('https://swap.example')).toContain('Routes')
  const direct = await textWith('')
  expect(direct).toContain('RPC URL')
  expect(direct).not.toContain('Routes')
})

it('makes the network of a saved RPC the current one while that has none', async () => {
  const ethereum = builtInNetworks().find(({ chainId }) => chainId === 1)!
  for (const [rpcUrl, isChosen] of [
    ['', true],
    [local.rpcUrl, undefined],
  ] as const) {
    const { place, asked } = await drawScreen({ ...settings, networks: [{ ...local, rpcUrl }, ethereum] }, 1)
    const [first] = getRpcChoices(1)
    await press(place, new URL(first!.url).host)
    expect(asked).toMatchObject([{ kind: 'edit-network', chainId: 1, edits: first!.edits }])
    expect(asked[0]).toHaveProperty('isChecked', true)
    expect((asked[0] as { isChosen?: true }).isChosen).toBe(isChosen)
  }
})

it('sends plain addresses for typed ones, and drops them from the draft once they are saved', async () => {
  const router = `0x${'ab'.repeat(20)}`
  const { place, asked, drafts } = await drawScreen(settings, local.chainId, { router: `Router: ${router}` })
  await submit(place)
  expect(asked).toMatchObject([{ kind: 'edit-network', edits: { router } }])
  expect(drafts.getState()[`network-${local.chainId}`]).toEqual({})
})
