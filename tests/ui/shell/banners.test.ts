import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { WalletError } from '../../../src/errors.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { StoresProvider } from '../../../src/ui/hooks/data/useStore.ts'
import { BackupRpcBanner, NetworkError } from '../../../src/ui/networks/NetworkErrorBanner.tsx'
import { Banners } from '../../../src/ui/shell/Banners.tsx'
import { local } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(async () => {
  standInDocument()
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('navigator', { onLine: true })
  await Promise.all([BackupRpcBanner.fetch(), NetworkError.fetch()])
})
afterEach(clearDocument)

const network = { ...local, spareRpcUrl: 'https://spare.example' }
const unreachable = new WalletError('node-unreachable', 'No answer.')

async function drawBanners({ isOnSpare = false, backedUp = false, waiting = 0, isLost = false }) {
  const approvals = createStore(() => ({ open: Array.from({ length: waiting }) }))
  const tokens = createStore(() => ({ balances: {}, balanceError: undefined as WalletError | undefined }))
  const networks = { onSpare: async () => (isOnSpare ? { why: undefined } : undefined) }
  const stores = {
    account: Object.assign(
      createStore(() => ({})),
      { confirmRestored: async () => undefined },
    ),
    swap: createStore(() => ({ swaps: [] })),
    approvals: Object.assign(approvals, { show: async () => undefined }),
    place: { go: () => undefined },
    settings: createStore(() => ({ settings: { isLost } })),
    tokens,
    quote: createStore(() => ({})),
    activity: Object.assign(
      createStore(() => ({})),
      { watch: () => () => undefined },
    ),
    get: () => networks,
  } as unknown as Stores
  const banners = h(Banners, { backedUp, network })
  const place = await draw(h(StoresProvider, { value: stores, children: banners }))
  await act(async () => undefined)
  return { place, approvals, tokens }
}

function buttons(node: Node): Node[] {
  return [...(node.localName === 'button' ? [node] : []), ...node.childNodes.flatMap(buttons)]
}

async function turn(place: Node): Promise<void> {
  const more = buttons(place).find(({ text }) => / of \d/.test(text))
  const click = more?.listeners.click as ((event: object) => void) | undefined
  if (click === undefined) expect.fail('There is only one notice.')
  await act(async () => click.call(more, { type: 'click' }))
}

describe('banners', () => {
  it('shows lost settings before an unreachable RPC', async () => {
    const { place, tokens } = await drawBanners({ backedUp: true, isLost: true })
    await act(async () => tokens.setState({ balanceError: unreachable }))
    expect(place.text).toContain('Your settings were corrupted and reset')
    expect(place.text).toContain('1 of 2')
  })

  it('includes the backup RPC notice next to a permanent one', async () => {
    const { place } = await drawBanners({ isOnSpare: true })
    expect(place.text).toContain('Using the backup RPC')
    expect(place.text).not.toContain('Write down your recovery phrase')
    expect(place.text).toContain('1 of 2')
    await turn(place)
    expect(place.text).toContain('Write down your recovery phrase')
    expect(place.text).not.toContain('backup RPC')
    await turn(place)
    expect(place.text).toContain('Using the backup RPC')
  })

  it('omits the backup RPC notice when no backup RPC is in use', async () => {
    const { place } = await drawBanners({})
    expect(place.text).toContain('Write down your recovery phrase')
    expect(place.text).not.toMatch(/ of \d/)
  })

  it('returns to the first notice when one disappears and another appears at the same time', async () => {
    const { place, approvals, tokens } = await drawBanners({ waiting: 1 })
    await turn(place)
    expect(place.text).toContain('Write down your recovery phrase')
    await act(async () => {
      approvals.setState({ open: [] })
      tokens.setState({ balanceError: unreachable })
    })
    // The error text is loaded lazily.
    expect(place.text).toMatch(/No answer\.|Can’t reach the RPC\./)
    expect(place.text).toContain('1 of 2')
  })
})
