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

describe('relay', () => {
  it('opens no port before the page sends a request', async () => {
    const { ports, document, said, ask } = load()
    document.dispatchEvent(new Event('prerenderingchange'))
    // Once the relay answers this, its earlier work is done.
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
    expect(ports).toEqual([])
  })

  it('adds only handshake listeners, and does not access browser.runtime before a request', async () => {
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

  it('answers a liveness check without a port', async () => {
    const { ports, said, ask } = load()
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
    expect(ports).toEqual([])
  })

  it('reports that the extension is gone when the runtime has no id', async () => {
    const { runtime, said, ask } = load()
    delete runtime.id
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ ended: true }]), 100_000)
  })

  it('forwards messages in both directions', async () => {
    const { ports, said, ask } = load()
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(ports[0]?.sent).toEqual([{ id: 1, method: 'eth_accounts' }]), 100_000)
    ports[0]?.say({ id: 1, result: [] })
    await vi.waitFor(() => expect(said).toEqual([{ id: 1, result: [] }]), 100_000)
  })

  it('ignores malformed messages on the channel', async () => {
    const { ports, ask } = load()
    for (const text of [null, 1, {}, 'x', '{"id":"1"}', new ArrayBuffer(8)]) ask(text)
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(ports[0]?.sent).toHaveLength(1), 100_000)
  })

  it('resends pending requests on a trusted pageshow event from the back/forward cache', async () => {
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

  it('holds requests until a prerendered document is shown', async () => {
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

  it('forwards events that the worker sends without a port, and ignores other senders', async () => {
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

  it('reports that the extension is gone when it was removed before the first request', async () => {
    const { browser, said, ask } = load()
    // After removal, Chromium leaves no `runtime` to a script that has not read it before.
    delete browser.runtime
    ask('{"id":1,"method":"eth_accounts"}')
    await vi.waitFor(() => expect(said).toEqual([{ ended: true }]), 100_000)
  })

  it('works when the setting cannot be read', async () => {
    const { said, ask } = load({ isStorageBroken: true })
    ask('')
    await vi.waitFor(() => expect(said).toEqual([{ here: true }]), 100_000)
  })
})
