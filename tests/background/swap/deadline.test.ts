import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { readDeadlines } from '../../../src/background/swap/deadlines.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { formatError } from '../../../src/ui/messages/errors/errors.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  intend,
  until,
  useStage,
} from '../../helpers/background/worker.ts'

describe('readDeadlines', () => {
  const at = (block: bigint, clock: number) => readDeadlines({ blockTime: async () => block }, clock * 1_000)

  it('accepts deadlines from the newest block until 20 minutes after the later of block and clock', async () => {
    expect(await at(1_000n, 1_010)).toEqual({ after: 1_000n, before: 2_211n })
    // Local chains may have no block for an hour.
    expect(await at(1_000n, 4_600)).toEqual({ after: 1_000n, before: 5_801n })
    // The clock is an hour behind.
    expect(await at(4_600n, 1_000)).toEqual({ after: 4_600n, before: 5_801n })
  })

  it('fails with node-timeout when the RPC does not answer', async () => {
    const silent = { blockTime: () => Promise.reject(new WalletError('node-timeout', 'Too late.')) }
    await expect(readDeadlines(silent, 0)).rejects.toMatchObject({ code: 'node-timeout' })
  })
})

describe('signed swap past its deadline', () => {
  const stage = useStage()
  let browser: Browser
  beforeAll(async () => {
    browser = await createBrowser(stage)
  })

  it('reverts a swap mined after its deadline, and reports it as expired', async () => {
    const { client, tokens } = stage.localnet
    const worker = createWorker(browser)
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: tokens.USDC, amount: parseEther('1') }
    const intent = await intend(worker, browser, trade)
    const before = await client.getBalance({ address: browser.account })
    await stage.stopMining()
    await worker.swap(intent)
    await until(async () => {
      const steps = (await worker.journal.get(intent.id))?.steps ?? []
      return steps.some((step) => isSigned(step) && step.state === 'sent') || undefined
    }, 'the swap to be sent')
    const { timestamp } = await client.getBlock()
    const now = BigInt(Math.ceil(Date.now() / 1_000))
    await client.setNextBlockTimestamp({ timestamp: (now > timestamp ? now : timestamp) + 1_000n })
    await stage.startMining()
    const { outcome, paid } = await worker.over(intent.id)
    expect(outcome).toMatchObject({ status: 'failed', code: 'reverted', facts: { error: 'Expired' } })
    expect(await client.getBalance({ address: browser.account })).toBe(before - paid)
    if (outcome.status !== 'failed') return
    expect(formatError(new WalletError(outcome.code, outcome.message, outcome.facts)).what).toBe(
      'The swap expired before it was confirmed.',
    )
  })
})
