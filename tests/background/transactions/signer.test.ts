import { parseEther } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Networks } from '../../../src/background/networks/networks.ts'
import type { IntentRecord } from '../../../src/background/transactions/schemas.ts'
import { createSigner } from '../../../src/background/transactions/signer.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  intend,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker
let token: Trade
let coin: Trade

beforeAll(() => {
  const { DAI, USDC } = stage.localnet.tokens
  token = { chainId: 31337, sell: DAI, buy: USDC, amount: parseEther('10') }
  coin = { ...token, sell: nativeTokenAddress, amount: parseEther('0.1') }
})
beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

async function signBy(changes: Partial<Chain>, trade: Trade) {
  const intent = await intend(worker, browser, trade)
  const changed = createWorker(browser, { chain: (chain) => ({ ...chain, ...changes }) })
  await changed.swap(intent)
  const { outcome } = await changed.over(intent.id)
  const nonce = await stage.localnet.client.getTransactionCount({ address: browser.account })
  return { outcome, nonce }
}

describe('signing of swap steps', () => {
  it('does not sign the approval when the L1 fee of the swap after it is too high', async () => {
    const ofLong = { l1Fee: async (bytes: number) => (bytes > 400 ? parseEther('1') : 0n) }
    expect(await signBy(ofLong, token)).toMatchObject({ outcome: { code: 'stale-review' }, nonce: 0 })
  })

  it.each(['token', 'coin'] as const)(
    'does not sign when the balance no longer covers the cost: %s',
    async (kind) => {
      const trade = kind === 'token' ? token : coin
      expect(await signBy({ nativeBalance: async () => 1n }, trade)).toMatchObject({
        outcome: {
          code: 'not-enough-gas',
          facts: { coin: '1', value: String(kind === 'coin' ? coin.amount : 0n) },
        },
        nonce: 0,
      })
    },
  )

  it('requires a new review when the base fee exceeds a custom max fee', async () => {
    const { client } = stage.localnet
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
    const intent = await intend(worker, browser, coin, { speed })
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 90_000_000_000n })
    await client.mine({ blocks: 1 })
    await worker.swap(intent)
    const { outcome } = await worker.over(intent.id)
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
    await client.mine({ blocks: 1 })
    expect(outcome).toMatchObject({
      code: 'stale-review',
      facts: { expected: String(speed.maxFeePerGas), found: expect.stringMatching(/^\d{11}$/) },
    })
  })
})

describe('signing of calls', () => {
  it('rejects a step without a call', async () => {
    const sign = createSigner({
      vault: { withKey: () => expect.unreachable('opened a key') },
      networks: { chain: async () => ({}) } as unknown as Networks,
      settings: { get: () => expect.unreachable('read the settings') },
      journal: { list: async () => [] },
      save: () => expect.unreachable('stored it'),
      now: Date.now,
    })
    const { account } = browser
    const record: IntentRecord = {
      intent: { id: 'ab'.repeat(16), account, chainId: 31337, calls: [], feeCap: 1n, mayFail: false },
      createdAt: Date.now(),
      steps: [{ kind: 'call', state: 'waiting' }],
      outcome: { status: 'working' },
    }
    await expect(sign(record, 0)).rejects.toThrow('No call to sign.')
  })
})

describe('access lists', () => {
  it('requests no access list on an OP-stack rollup', async () => {
    const network = { ...stage.network, rollup: 'op' as const }
    const asking = await createBrowser({ ...stage, network }, { accessLists: true })
    const asked: unknown[] = []
    const rollup = createWorker(asking, {
      chain: (chain) => ({ ...chain, l1Fee: async () => 0n }),
      api: (api) => ({
        ...api,
        swap(trade, options) {
          asked.push(options.createAccessList)
          return api.swap(trade, options)
        },
      }),
    })
    const review = await rollup.review(coin)
    expect(review.accessList).toBeUndefined()
    const intent = accept(asking.account, coin, review)
    await rollup.swap(intent)
    expect((await rollup.over(intent.id)).outcome.status).toBe('done')
    expect(new Set(asked)).toEqual(new Set([undefined]))
  })
})
