import { afterEach, describe, expect, it, vi } from 'vitest'
import { startRelay } from '../../src/provider/contentScript.ts'
import { startPage } from '../../src/provider/inpage.ts'
import type { Provider } from '../../src/provider/provider.ts'
import { standInBrowser } from '../helpers/provider/fakeRuntime.ts'
import { standInWindow } from '../helpers/provider/fakeWindow.ts'

type Detail = { info: { name: string }; provider: Provider }

function load(
  options: Parameters<typeof standInWindow>[0] & { order?: 'page' | 'relay'; stored?: object } = {},
) {
  const { order = 'page', stored = {} } = options
  const shared = standInWindow(options)
  const { page } = shared
  const { browser, ports } = standInBrowser({ ...stored })
  const announced: Detail[] = []
  page.addEventListener('eip6963:announceProvider', (event) =>
    announced.push((event as CustomEvent<Detail>).detail),
  )
  const scripts = [() => startPage(page), () => startRelay(browser, page)]
  for (const script of order === 'page' ? scripts : scripts.reverse()) script()
  return { ...shared, browser, ports, announced }
}

/** Earlier relay messages come through the same channel, so they have arrived by then. */
async function answered({ announced, ports }: Pick<ReturnType<typeof load>, 'announced' | 'ports'>) {
  const answer = announced[0]?.provider.request({ method: 'eth_chainId' })
  await vi.waitFor(() => expect(ports).toHaveLength(1), 100_000)
  ports[0]?.say({ id: 1, result: '0x1' })
  await answer
}

function spy(page: Window) {
  const got: unknown[] = []
  page.addEventListener('sluice:channel', (event) => got.push(event))
  page.dispatchEvent(new Event('sluice:hello'))
  return got
}

describe('page script and relay', () => {
  it.each(['page', 'relay'] as const)(
    'connects both scripts when the %s script starts first',
    async (order) => {
      const { page, ports, announced, mutate } = load({ order })
      expect(announced).toHaveLength(1)
      mutate()
      expect(spy(page)).toEqual([])
      const answer = announced[0]?.provider.request({ method: 'eth_chainId' })
      await vi.waitFor(() => expect(ports[0]?.sent).toEqual([{ id: 1, method: 'eth_chainId' }]), 100_000)
      ports[0]?.say({ id: 1, result: '0x1' })
      expect(await answer).toBe('0x1')
    },
  )

  it('exposes nothing to the page when only the relay starts', () => {
    const { page, mutate } = standInWindow()
    startRelay(standInBrowser().browser, page)
    mutate()
    expect(spy(page)).toEqual([])
  })

  it('announces no provider when only the page script starts', () => {
    const { page } = standInWindow()
    const heard = vi.fn()
    page.addEventListener('eip6963:announceProvider', heard)
    startPage(page)
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    page.dispatchEvent(new Event('sluice:channel'))
    expect(heard).not.toHaveBeenCalled()
  })

  it.each([
    ['a document that is not HTML', { contentType: 'application/json' }],
    ['a picture', { contentType: 'image/svg+xml' }],
    ['XML', { contentType: 'application/xml' }],
    ['a context that is not secure', { isSecureContext: false }],
  ])('does nothing in %s', (_name, options) => {
    const { page, announced } = load(options)
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(announced).toEqual([])
    expect(spy(page)).toEqual([])
    expect(Object.hasOwn(page, 'ethereum')).toBe(false)
  })

  it('starts in XHTML', () => {
    expect(load({ contentType: 'application/xhtml+xml' }).announced).toHaveLength(1)
  })
})

describe('page that replaces timers', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('keeps the provider connected when the page replaces setTimeout', async () => {
    const { page, ports, announced } = load()
    const replaced = vi.fn((call: () => void) => call())
    vi.stubGlobal('setTimeout', replaced)
    Object.assign(page, { setTimeout: replaced })
    const provider = announced[0]?.provider
    const answer = provider?.request({ method: 'eth_chainId' })
    expect(provider?.isConnected()).toBe(true)
    expect(replaced).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
    await vi.waitFor(() => expect(ports).toHaveLength(1), 100_000)
    ports[0]?.say({ id: 1, result: '0x1' })
    expect(await answer).toBe('0x1')
  })
})

describe('default wallet', () => {
  it('leaves window.ethereum unset when the setting is off', async () => {
    const { page, announced, ports } = load({ stored: { defaultWallet: false } })
    await answered({ announced, ports })
    expect(Object.hasOwn(page, 'ethereum')).toBe(false)
  })

  it('sets a replaceable window.ethereum to the announced provider, and dispatches an event', async () => {
    const { page, announced } = load({ stored: { defaultWallet: true } })
    await new Promise((resolve) => page.addEventListener('ethereum#initialized', resolve))
    expect(Object.getOwnPropertyDescriptor(page, 'ethereum')).toEqual({
      value: announced[0]?.provider,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  })

  it('does not replace another wallet', async () => {
    const { page, announced, ports } = load({ stored: { defaultWallet: true } })
    const other = {}
    const initialized = vi.fn()
    page.addEventListener('ethereum#initialized', initialized)
    Object.assign(page, { ethereum: other })
    await answered({ announced, ports })
    expect(Reflect.get(page, 'ethereum')).toBe(other)
    expect(initialized).not.toHaveBeenCalled()
  })
})
