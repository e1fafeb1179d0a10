import { describe, expect, it, vi } from 'vitest'
import { startRelay } from '../../src/provider/contentScript.ts'
import { takePort } from '../../src/provider/handshake.ts'
import { standInBrowser } from '../helpers/provider/fakeRuntime.ts'
import { standInWindow } from '../helpers/provider/fakeWindow.ts'

function load(options: { isPrerendering?: boolean; isStorageBroken?: boolean } = {}) {
  const shared = standInWindow()
  const { page, document } = shared
  document.prerendering = options.isPrerendering ?? false
  const stand = standInBrowser()
  if (options.isStorageBroken) stand.browser.storage.sync.get = () => Promise.reject(new Error('no storage'))
  const said: unknown[] = []
  let ask: (text: unknown) => void = () => undefined
  takePort(page, (port) => {
    ask = (text) => port.postMessage(text)
    port.onmessage = ({ data }) => said.push(JSON.parse(data))
  })
  const shown = vi.spyOn(page, 'addEventListener')
  startRelay(stand.browser, page)
  const onShow = (event: { persisted: boolean; isTrusted: boolean }) => {
    const [, listener] = shown.mock.calls.find(([name]) => name === 'pageshow') ?? []
    if (listener === undefined) throw new Error('Nobody hears of it.')
    ;(listener as (event: object) => void)(event)
  }
  return { ...shared, ...stand, said, ask: (text: unknown) => ask(text), onShow }
}

describe('the relay', () => {
  it('leaves the worker alone until the page asks', async () => {
    const { ports, document, said, ask } = load()
    document.dispatchEvent(new Event('prerenderingchange'))
    // Once the relay answers this, its earlier work is done.
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
    expect(ports).toEqual([])
  })

  it('costs a page that asks nothing neither a listener nor a look at the browser’s runtime', async () => {
    const { page, document } = standInWindow()
    const { browser } = standInBrowser()
    const runtime = vi.spyOn(browser, 'runtime', 'get')
    const heard = [vi.spyOn(page, 'addEventListener'), vi.spyOn(document, 'addEventListener')]
    const read = vi.spyOn(browser.storage.sync, 'get')
    startRelay(browser, page)
    await read.mock.results[0]?.value
    expect(runtime).not.toHaveBeenCalled()
    const names = heard.flatMap(({ mock }) => mock.calls.map(([name]) => name))
    expect(names.filter((name) => !name.startsWith('sluice:'))).toEqual([])
  })

  it('says that it is there, and asks the worker nothing for that', async () => {
    const { ports, said, ask } = load()
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
    expect(ports).toEqual([])
  })

  it('says that nobody answers any more, when the extension has lost its id', async () => {
    const { runtime, said, ask } = load()
    delete runtime.id
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ ended: true }]), 100_000)
  })

  it('carries text both ways', async () => {
    const { ports, said, ask } = load()
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(ports[0]?.sent).toEqual([{ id: 1, method: 'eth_accounts' }]), 100_000)
    ports[0]?.say({ id: 1, result: [] })
    await vi.waitFor(() => expect(said).toEqual([{ id: 1, result: [] }]), 100_000)
  })

  it('survives whatever else comes through the channel', async () => {
    const { ports, ask } = load()
    for (const text of [null, 1, {}, 'x', '{"id":"1"}', new ArrayBuffer(8)]) ask(text)
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(ports[0]?.sent).toHaveLength(1), 100_000)
  })

  it('asks anew when the document comes back from the cache, if the browser says so', async () => {
    const { ports, ask, onShow } = load()
    ask('{"id":1,"method":"eth_requestAccounts"}')
    await vi.waitFor(() => expect(ports).toHaveLength(1), 100_000)
    onShow({ persisted: false, isTrusted: true })
    onShow({ persisted: true, isTrusted: false })
    expect(ports).toHaveLength(1)
    onShow({ persisted: true, isTrusted: true })
    expect(ports[1]?.sent.map(({ id, method }) => [id, method])).toEqual([
      [1, 'eth_requestAccounts'],
      [-1, 'sluice_view'],
    ])
  })

  it('waits with everything until a prepared document is shown', async () => {
    const { ports, ask, said, document } = load({ isPrerendering: true })
    ask('{"id":1,"method":"eth_accounts"}')
    // Sent later through the same channel, answered without the worker.
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
    expect(ports).toEqual([])
    document.prerendering = false
    document.dispatchEvent(new Event('prerenderingchange'))
    expect(ports[0]?.sent).toHaveLength(1)
  })

  it('passes on events that the worker sends without a port, and nobody else’s', async () => {
    const { said, message, ask, ports } = load()
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(ports).toHaveLength(1), 100_000)
    const pageEvent = JSON.stringify({ event: 'accountsChanged', data: [] })
    message({ pageEvent }, { id: 'another extension' })
    message({ pageEvent }, { id: 'sluice', tab: { id: 1 } })
    message({ pageEvent }, {})
    for (const other of [null, undefined, 'x', 1, {}, { pageEvent: 1 }]) message(other, { id: 'sluice' })
    // Marker: anything forwarded would arrive before it.
    message({ pageEvent: JSON.stringify({ event: 'marker' }) }, { id: 'sluice' })
    await vi.waitFor(() => expect(said).toContainEqual({ event: 'marker' }), 100_000)
    message({ pageEvent }, { id: 'sluice' })
    await vi.waitFor(() => expect(said).toHaveLength(2), 100_000)
    expect(said).toEqual([{ event: 'marker' }, { event: 'accountsChanged', data: [] }])
  })

  it('says that it is over when the extension went before the page asked', async () => {
    const { browser, said, ask } = load()
    // After removal, Chromium leaves no `runtime` to a script that has not read it before.
    delete browser.runtime
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(said).toEqual([{ ended: true }]), 100_000)
  })

  it('does without the setting when it cannot be read', async () => {
    const { said, ask } = load({ isStorageBroken: true })
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
  })
})
