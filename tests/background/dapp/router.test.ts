import { describe, expect, it } from 'vitest'
import { createRpcRouter } from '../../../src/background/dapp/router.ts'
import { WalletError } from '../../../src/errors.ts'
import { createRateLimiter } from '../../../src/lib/async/rateLimiter.ts'
import type { PageView } from '../../../src/provider/messages.ts'

const asker = { origin: 'https://site.example', documentId: 'D', tabId: 1, requestId: 1 }
const documents = {
  view: async (): Promise<PageView> => ({ accounts: [], chainId: '0x2' }),
  isOpen: (documentId: string) => documentId !== 'gone',
}
const pages = createRpcRouter({
  version: '1.2.3',
  documents,
  reads: {},
  groups: [
    { one: async (_asker, params) => params },
    {
      two: async () => {
        throw new WalletError('rejected', 'No.')
      },
    },
  ],
})

describe('createRpcRouter', () => {
  it('passes the params to the method and rethrows its error', async () => {
    expect(await pages(asker, { method: 'one', params: [1] })).toEqual([1])
    await expect(pages(asker, { method: 'two' })).rejects.toMatchObject({ code: 'rejected' })
  })

  it('returns the client version', async () => {
    expect(await pages(asker, { method: 'web3_clientVersion' })).toBe('Sluice/1.2.3')
  })

  it('answers the view request of the relay only', async () => {
    const view = { method: 'sluice_view' }
    expect(await pages({ ...asker, requestId: -1 }, view)).toEqual({ accounts: [], chainId: '0x2' })
    for (const requestId of [0, 1]) {
      await expect(pages({ ...asker, requestId }, view)).rejects.toMatchObject({ code: 'unknown-method' })
    }
  })

  it.each([
    'eth_sign',
    'eth_signTypedData',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_decrypt',
    'eth_getEncryptionPublicKey',
  ])('rejects %s as unsupported and names an alternative', async (method) => {
    await expect(pages(asker, { method, params: [] })).rejects.toMatchObject({
      code: 'unsupported-method',
      message: expect.stringMatching(/use (personal_sign|eth_signTypedData_v4)\.$/),
    })
  })

  it.each(['wallet_sendTransaction', 'eth_subscribe', 'constructor', '__proto__', 'toString', ''])(
    'throws unknown-method for %s',
    async (method) => {
      await expect(pages(asker, { method })).rejects.toMatchObject({ code: 'unknown-method' })
    },
  )
})

describe('request rate limits', () => {
  const light = [
    'eth_accounts',
    'eth_chainId',
    'net_version',
    'eth_requestAccounts',
    'wallet_requestPermissions',
    'wallet_revokePermissions',
  ]
  const other = { ...asker, origin: 'https://other.example' }

  function slow() {
    let time = 0
    let waiting: { until: number; go(): void }[] = []
    const ran: string[] = []
    const run = async ({ origin }: typeof asker) => void ran.push(origin)
    const pace = (perSecond: number) =>
      createRateLimiter({
        perSecond,
        now: () => time,
        wait: (ms) => new Promise((go) => waiting.push({ until: time + ms, go })),
      })
    const answer = createRpcRouter({
      version: '1.2.3',
      documents,
      reads: { eth_call: run },
      groups: [Object.fromEntries(['personal_sign', ...light].map((method) => [method, run]))],
      paces: { reads: pace(50), others: pace(10) },
    })
    return {
      ran,
      async ask(times: number, method: string, by = asker) {
        const asked = Array.from({ length: times }, () => answer(by, { method }))
        for (const one of asked) one.catch(() => undefined)
        await new Promise((resolve) => setTimeout(resolve))
        return asked
      },
      async pass(ms: number) {
        time += ms
        const due = waiting.filter(({ until }) => until <= time)
        waiting = waiting.filter(({ until }) => until > time)
        for (const { go } of due) go()
        await new Promise((resolve) => setTimeout(resolve))
      },
    }
  }

  it.each<[method: string, perSecond: number]>([
    ['eth_call', 50],
    ...light.map((method): [string, number] => [method, 50]),
    ['personal_sign', 10],
  ])('limits %s to %i calls per second and site', async (method, perSecond) => {
    const { ran, ask, pass } = slow()
    await ask(3 * perSecond, method)
    expect(ran).toHaveLength(perSecond)
    await ask(1, method, other)
    expect(ran.at(-1)).toBe(other.origin)
    await pass(1_000)
    expect(ran).toHaveLength(2 * perSecond + 1)
    await pass(1_000)
    expect(ran).toHaveLength(3 * perSecond + 1)
  })

  it('does not delay account, chain and revocation methods behind other requests', async () => {
    const { ran, ask } = slow()
    await ask(100, 'personal_sign')
    for (const method of ['eth_accounts', 'eth_chainId', 'net_version', 'wallet_revokePermissions']) {
      await ask(12, method)
    }
    expect(ran).toHaveLength(10 + 4 * 12)
  })

  it('rejects a request of a document that is gone without running it', async () => {
    const { ran, ask } = slow()
    const [asked] = await ask(1, 'personal_sign', { ...asker, documentId: 'gone' })
    await expect(asked).rejects.toMatchObject({ code: 'rejected', facts: { reason: 'withdrawn' } })
    expect(ran).toEqual([])
  })
})
