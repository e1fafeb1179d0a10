import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { begin, grant, inSession, openBrowser, wallet } from '../helpers/background/popup.ts'
import { key, until } from '../helpers/background/worker.ts'

const service = 'https://swap.example'
const id = 'c'.repeat(32)
const change = { kind: 'edit-network', chainId: 1, edits: { serviceUrl: service }, isChecked: true } as const
const origins = [`${service}/*`]

const serviceUrl = async () =>
  (await wallet.settings()).networks.find(({ chainId }) => chainId === 1)?.serviceUrl
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  openBrowser()
  begin()
  await wallet.create(key, await newSecret(12))
  await wallet.savePendingChange({ id, urls: [service], change })
})
afterEach(() => {
  vi.useRealTimers()
})

it('saves a pending change when the browser grants the permission with no view open', async () => {
  grant({ origins: ['https://other.example/*'] })
  await settled()
  expect(await serviceUrl()).toBe('')
  grant({ origins })
  await until(async () => (await serviceUrl()) === service, 'the change to be saved')
  await wallet.applyPendingChange(id)
  expect(await wallet.getUnreadChange()).toMatchObject({ id, outcome: { isDone: true } })
})

it('saves a pending change in a new worker once the permission is granted', async () => {
  begin()
  grant({ origins })
  await until(async () => (await serviceUrl()) === service, 'the change to be saved')
})

it.each([
  ['is locked', () => wallet.lock()],
  ['is reset', () => wallet.reset()],
  [
    'is past its time',
    async () => {
      vi.setSystemTime(Date.now() + 16 * 60_000)
    },
  ],
])('discards a pending change once the wallet %s', async (_how, happens) => {
  await happens()
  grant({ origins })
  await settled()
  expect(await serviceUrl()).toBe('')
  expect(await inSession()).not.toHaveProperty('change')
})
