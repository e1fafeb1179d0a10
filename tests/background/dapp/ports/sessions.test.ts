import { beforeEach, describe, expect, it } from 'vitest'
import type { SiteView } from '../../../../src/background/dapp/connectedSites.ts'
import { createSessions, type Sessions } from '../../../../src/background/dapp/ports/sessions.ts'
import type { ProviderMessage } from '../../../../src/protocol.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const account = `0x${'a1'.repeat(20)}` as const
const one = { documentId: 'D1', tabId: 1, origin: 'https://one.example', requestId: 1 }
const other = { documentId: 'D2', tabId: 2, origin: 'https://other.example', requestId: 1 }

let views: Record<string, SiteView>
let session: ReturnType<typeof memoryArea>
let sent: { tabId: number; documentId: string; event: unknown }[]
let gone: Set<string>
let clock: number
let documents: Sessions

function create(): Sessions {
  return createSessions({
    session,
    sites: {
      view: async (origin) => {
        const view = views[origin]
        if (view === undefined) throw new Error('The vault cannot be read.')
        return view
      },
    },
    sendToTab: async (tabId, documentId, { pageEvent }) => {
      if (gone.has(documentId)) throw new Error('Receiving end does not exist.')
      sent.push({ tabId, documentId, event: JSON.parse(pageEvent) })
    },
    now: () => clock++,
  })
}

beforeEach(() => {
  views = {
    [one.origin]: { accounts: [], chainId: 1 },
    [other.origin]: { accounts: [account], chainId: 1 },
  }
  session = memoryArea()
  sent = []
  gone = new Set()
  clock = 1
  documents = create()
})

describe('sessions: tell', () => {
  it('notifies only documents whose view changed, once', async () => {
    await documents.meet(one)
    await documents.meet(other)
    await documents.tell()
    expect(sent).toEqual([])
    views[one.origin] = { accounts: [account], chainId: 1 }
    await documents.tell()
    await documents.tell()
    expect(sent).toEqual([
      { tabId: 1, documentId: 'D1', event: { event: 'accountsChanged', data: [account] } },
    ])
  })

  it('sends the chain id in hex, before the accounts', async () => {
    await documents.meet(other)
    views[other.origin] = { accounts: [], chainId: 31337 }
    await documents.tell()
    expect(sent.map(({ event }) => event)).toEqual([
      { event: 'chainChanged', data: '0x7a69' },
      { event: 'accountsChanged', data: [] },
    ])
  })

  it('sends over the newest open port', async () => {
    const heard: [string, ProviderMessage][] = []
    await documents.meet(one)
    const closeOld = documents.open('D1', (message) => heard.push(['old', message]))
    const closeNew = documents.open('D1', (message) => heard.push(['new', message]))
    views[one.origin] = { accounts: [], chainId: 2 }
    await documents.tell()
    expect(closeNew()).toBe(false)
    expect(documents.isOpen('D1')).toBe(true)
    documents.reply('D1', { id: 1, result: 'x' })
    expect(closeOld()).toBe(true)
    expect(documents.isOpen('D1')).toBe(false)
    documents.reply('D1', { id: 2, result: 'lost' })
    expect(heard).toEqual([
      ['new', { event: 'chainChanged', data: '0x2' }],
      ['old', { id: 1, result: 'x' }],
    ])
    expect(sent).toEqual([])
  })

  it('remembers the last view of each document across restarts', async () => {
    await documents.meet(one)
    views[one.origin] = { accounts: [], chainId: 2 }
    await documents.tell()
    documents = create()
    await documents.tell()
    expect(sent).toHaveLength(1)
    views[one.origin] = { accounts: [], chainId: 3 }
    documents = create()
    await documents.tell()
    expect(sent[1]?.event).toEqual({ event: 'chainChanged', data: '0x3' })
  })

  it('forgets a document that is gone', async () => {
    await documents.meet(one)
    gone.add('D1')
    views[one.origin] = { accounts: [], chainId: 2 }
    await documents.tell()
    await expect.poll(() => session.items.size).toBe(0)
    gone.clear()
    views[one.origin] = { accounts: [], chainId: 3 }
    await documents.tell()
    expect(sent).toEqual([])
  })

  it('notifies other documents despite an unreadable view and a hanging tab', async () => {
    const hanging = createSessions({
      session,
      sites: { view: async (origin) => views[origin] ?? Promise.reject(new Error('no')) },
      sendToTab: (_tabId, documentId) => {
        sent.push({ tabId: 0, documentId, event: undefined })
        return new Promise(() => undefined)
      },
    })
    for (const document of [one, other, { ...other, documentId: 'D3', tabId: 3 }])
      await hanging.meet(document)
    delete views[one.origin]
    views[other.origin] = { accounts: [], chainId: 1 }
    await hanging.tell()
    expect(sent.map(({ documentId }) => documentId)).toEqual(['D2', 'D3'])
  })

  it('does not throw when the storage fails', async () => {
    session.all = () => Promise.reject(new Error('disk'))
    await expect(create().tell()).resolves.toBeUndefined()
  })
})

describe('sessions: meet', () => {
  it('stores a document once for twenty concurrent requests', async () => {
    let writes = 0
    const set = session.set
    session.set = (items) => {
      writes++
      return set(items)
    }
    await Promise.all(Array.from({ length: 20 }, () => documents.meet(one)))
    expect(writes).toBe(1)
  })

  it('forgets the previous document of a tab, but none with an open port', async () => {
    await documents.meet(one)
    await documents.meet({ ...other, documentId: 'D3', tabId: 1 })
    expect([...session.items.keys()]).toEqual(['document.D3'])
    documents.open('D3', () => undefined)
    await documents.meet({ ...one, documentId: 'D4' })
    expect([...session.items.keys()]).toEqual(['document.D3', 'document.D4'])
  })

  it('evicts the oldest documents without a port of the largest site beyond one thousand', async () => {
    const heard: ProviderMessage[] = []
    await documents.meet({ ...other, tabId: 5_000 })
    await documents.meet({ ...one, documentId: 'N0', tabId: 5_001 })
    documents.open('N0', (message) => heard.push(message))
    for (let index = 1; index <= 1_000; index++) {
      await documents.meet({ ...one, documentId: `N${index}`, tabId: index })
    }
    expect(session.items.size).toBe(1_000)
    const isKnown = (id: string) => session.items.has(`document.${id}`)
    expect(['D2', 'N0', 'N1', 'N2', 'N3', 'N1000'].map(isKnown)).toEqual([
      true,
      true,
      false,
      false,
      true,
      true,
    ])
    views[one.origin] = { accounts: [], chainId: 5 }
    await documents.tell()
    expect(heard).toEqual([{ event: 'chainChanged', data: '0x5' }])
  })

  it('sends the view once to a forgotten document', async () => {
    const heard: ProviderMessage[] = []
    documents.open('D2', (message) => heard.push(message))
    await documents.meet({ ...other, requestId: 8 })
    await documents.meet({ ...other, requestId: 9 })
    expect(heard).toEqual([{ view: { accounts: [account], chainId: '0x1' } }])
  })

  it('sends no view to a document with its first request or a view request', async () => {
    for (const [documentId, requestId] of [
      ['A', 1],
      ['B', -1],
    ] as const) {
      documents.open(documentId, () => expect.fail('was told'))
      await documents.meet({ ...one, documentId, requestId })
    }
  })

  it('leaves foreign and damaged storage entries alone', async () => {
    await session.set({ unlocked: { dataKey: 'x' }, 'document.bad': { tabId: 'no' } })
    await documents.meet(one)
    await documents.tell()
    expect([...session.items.keys()].sort()).toEqual(['document.D1', 'document.bad', 'unlocked'])
  })
})

describe('sessions: view', () => {
  it('does not notify a document of a view that it already returned', async () => {
    await documents.meet(one)
    views[one.origin] = { accounts: [account], chainId: 255 }
    expect(await documents.view(one)).toEqual({ accounts: [account], chainId: '0xff' })
    await documents.tell()
    expect(sent).toEqual([])
  })
})

describe('sessions: send', () => {
  it('sends to one document, over its port or through its tab', async () => {
    const event = { event: 'message', data: { type: 'wallet_swapStatus', data: { id: 'x' } } } as const
    const heard: ProviderMessage[] = []
    await documents.meet(one)
    await documents.send('D1', event)
    documents.open('D1', (message) => heard.push(message))
    await documents.send('D1', event)
    await documents.send('nobody', event)
    expect(sent).toEqual([{ tabId: 1, documentId: 'D1', event }])
    expect(heard).toEqual([event])
  })
})
