import { describe, expect, it } from 'vitest'
import { createApprovals } from '../../../src/background/approvals/approvals.ts'
import type { Requester } from '../../../src/background/approvals/store.ts'
import type { DappRequest } from '../../../src/domain/dapp/approval.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const account = `0x${'11'.repeat(20)}` as const
const connect: DappRequest = { kind: 'connect', accounts: [] }
const sign: DappRequest = { kind: 'sign-message', account, message: '0x12' }
const asker = (requestId: number, origin = 'https://a.example', tabId = 1): Requester => ({
  origin,
  documentId: `of ${origin}`,
  tabId,
  requestId,
})

function createDesk() {
  let time = 1_000_000
  const approvals = createApprovals({
    session: memoryArea(),
    window: { open: async () => undefined, count: () => undefined, onClosed: () => undefined },
    check: async () => undefined,
    perform: async () => undefined,
    onChange: () => undefined,
    isThere: () => true,
    now: () => time++,
  })
  return {
    ...approvals,
    async open(by: Requester, ask: DappRequest): Promise<void> {
      const before = (await approvals.list()).length
      approvals.ask(by, ask, { chainId: 1 }).catch(() => undefined)
      await expect.poll(async () => (await approvals.list()).length).toBe(before + 1)
    },
  }
}

describe('checkFree', () => {
  it('throws request-open at the limits of the queue, without opening a request', async () => {
    const desk = createDesk()
    await desk.checkFree(asker(1), 'connect')
    expect(await desk.list()).toEqual([])
    await desk.open(asker(1), connect)
    await expect(desk.checkFree(asker(2), 'connect')).rejects.toMatchObject({ code: 'request-open' })
    await desk.checkFree(asker(2), 'sign-message')
    for (let id = 2; id <= 5; id++) await desk.open(asker(id), sign)
    await expect(desk.checkFree(asker(6), 'sign-message')).rejects.toMatchObject({ code: 'request-open' })
    await desk.checkFree(asker(6, 'https://b.example', 2), 'sign-message')
  })

  it('throws throttled for a site after four rejections', async () => {
    const desk = createDesk()
    for (let id = 1; id <= 4; id++) {
      await desk.open(asker(id), sign)
      await desk.rejectAll()
    }
    await expect(desk.checkFree(asker(5), 'sign-message')).rejects.toMatchObject({ code: 'throttled' })
  })

  it('accepts a repeated request by its requester or by its id', async () => {
    const desk = createDesk()
    await desk.open(asker(1), connect)
    const [open] = await desk.list()
    await desk.checkFree(asker(1), 'connect')
    await desk.checkFree(asker(2), 'connect', open!.id)
  })
})
