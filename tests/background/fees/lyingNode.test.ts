import { parseEther, parseGwei, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import { revokeFee } from '../../../src/background/tokens/revoke.ts'
import { createCallPreview } from '../../../src/background/transfers/simulateCalls.ts'
import { createPreviewTransfer } from '../../../src/background/transfers/transfer.ts'
import type { CallPreview } from '../../../src/domain/activity/callBatch.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  agree,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

type Answer = { result?: Record<string, unknown> }
type Lie = Record<string, (answer: Answer) => unknown>

const stage = useStage()
let browser: Browser
beforeAll(async () => {
  browser = await createBrowser(stage)
})

const friend: Address = `0x${'f1'.repeat(20)}`
const greedy = toHex(parseGwei('50000'))

const history = (tip: `0x${string}`, base: `0x${string}`): Lie => ({
  eth_feeHistory: () => ({
    oldestBlock: '0x1',
    baseFeePerGas: Array.from({ length: 11 }, () => base),
    gasUsedRatio: Array.from({ length: 10 }, () => 0.5),
    reward: Array.from({ length: 10 }, () => [tip, tip, tip]),
  }),
})
const suggestion = (tip: `0x${string}`): Lie => ({ eth_maxPriorityFeePerGas: () => tip })
const noTips = history('0x0', toHex(parseGwei('1')))

/** Each exceeds the limit of one native token. */
const lies: Record<string, Lie> = {
  'a tip of 50,000 gwei in history and suggestion': {
    ...history(greedy, toHex(parseGwei('1'))),
    ...suggestion(greedy),
  },
  'a tip of 50,000 gwei in the suggestion alone': { ...noTips, ...suggestion(greedy) },
  'a base fee of 50,000 gwei': { ...history(toHex(parseGwei('1')), greedy), ...suggestion(toHex(1n)) },
  'a base fee and a tip that fit together': { ...history(greedy, greedy), ...suggestion(greedy) },
  'a gas price, and hides the base fee': {
    eth_getBlockByNumber: ({ result: { baseFeePerGas: _, ...block } = {} }) => block,
    eth_gasPrice: () => greedy,
  },
}

function workerOn(lie: Lie): Worker {
  const fetchLie: typeof fetch = async (url, init) => {
    const asked = JSON.parse(String(init?.body)) as { method: string }
    const response = await fetch(url, { ...init, signal: null })
    const told = lie[asked.method]
    if (told === undefined) return response
    const answer = (await response.json()) as Answer
    return Response.json({ ...answer, result: told(answer) })
  }
  return createWorker(browser, { wire: { fetch: fetchLie } })
}

const trade = (amount: string) => ({
  chainId: 31337,
  sell: nativeTokenAddress,
  buy: stage.localnet.tokens.USDC,
  amount: parseEther(amount),
})
const tokenOf =
  ({ networks }: Worker) =>
  async (chainId: number, token: Address) =>
    (await networks.chain(chainId)).token(token)

function previewTransfer(worker: Worker, amount: bigint) {
  const parts = { networks: worker.networks, tokenOf: tokenOf(worker) }
  return createPreviewTransfer(parts)({
    chainId: 31337,
    account: browser.account,
    token: nativeTokenAddress,
    to: friend,
    amount,
  })
}
function previewCalls(
  worker: Worker,
  call: { to: Address; value: bigint; data?: `0x${string}`; gas?: bigint },
) {
  const ask = { kind: 'send', account: browser.account, calls: [{ data: '0x', ...call }] }
  const approval = { id: '1', chainId: 31337, origin: 'https://site.example', ask } as unknown as Approval
  return createCallPreview({
    networks: worker.networks,
    tokenOf: tokenOf(worker),
    assets: createCustomTokens(worker.local),
  })(approval)
}
const feeRiskOf = ({ risks }: CallPreview) => risks.find((risk) => risk.kind === 'fee')?.doubt

async function previewRevoke(worker: Worker) {
  const chain = await worker.networks.chain(31337)
  const { USDC } = stage.localnet.tokens
  return revokeFee(chain, { chainId: 31337, account: browser.account, token: USDC, spender: friend })
}

describe.each(Object.entries(lies))('RPC that asks for %s', (_name, lie) => {
  it('rejects the review of a swap, a transfer, a dapp call and a revocation', async () => {
    const worker = workerOn(lie)
    const tooHigh = { code: 'fee-too-high' }
    await expect(worker.review(trade('1'))).rejects.toMatchObject(tooHigh)
    await expect(previewTransfer(worker, parseEther('1'))).rejects.toMatchObject(tooHigh)
    await expect(previewCalls(worker, { to: friend, value: 1n })).rejects.toMatchObject(tooHigh)
    await expect(previewRevoke(worker)).rejects.toMatchObject(tooHigh)
  })

  it('signs nothing when the RPC lies only after the review, even with a high fee cap', async () => {
    const honest = createWorker(browser)
    const review = await honest.review(trade('1'))
    const worker = workerOn(lie)
    const intent = { ...accept(browser.account, trade('1'), review), feeCap: parseEther('100') }
    const calls = agree(browser.account, [{ to: friend, data: '0x', value: 1n }], parseEther('100'))
    await worker.swap(intent)
    await worker.send(calls)
    for (const { id } of [intent, calls]) {
      expect((await worker.over(id)).outcome).toMatchObject({ status: 'failed', code: 'fee-too-high' })
    }
    expect(await stage.localnet.client.getTransactionCount({ address: browser.account })).toBe(0)
  })
})

describe('fees within the limits', () => {
  it('flags a fee above the amount moved or above a tenth of it', async () => {
    // 100 gwei is plausible.
    const worker = workerOn({
      ...history(toHex(parseGwei('2')), toHex(parseGwei('50'))),
      ...suggestion(toHex(parseGwei('2'))),
    })
    const kinds = async (amount: string) => [
      (await worker.review(trade(amount))).feeDoubt?.kind,
      (await previewTransfer(worker, parseEther(amount))).feeDoubt?.kind,
      feeRiskOf(await previewCalls(worker, { to: friend, value: parseEther(amount) })),
    ]
    expect(await kinds('0.001')).toEqual(['more-than-moved', 'more-than-moved', 'more-than-moved'])
    expect((await previewTransfer(worker, parseEther('0.01'))).feeDoubt?.kind).toBe('large-share')
    expect(await kinds('5')).toEqual([undefined, undefined, undefined])
    const { feeCap, feeDoubt } = await worker.review(trade('0.001'))
    expect(feeDoubt?.fee).toBe(feeCap)
  })

  it('flags a tip far above the base fee and usual tips, for any amount', async () => {
    const worker = workerOn({
      ...history(toHex(parseGwei('1500')), toHex(parseGwei('1'))),
      ...suggestion(toHex(parseGwei('1500'))),
    })
    expect((await previewTransfer(worker, parseEther('5'))).feeDoubt?.kind).toBe('tip')
    expect(feeRiskOf(await previewCalls(worker, { to: friend, value: parseEther('5') }))).toBe('tip')
  })

  it('flags the large fee of a call whose value is unknown', async () => {
    const worker = workerOn({
      ...history(toHex(parseGwei('1')), toHex(parseGwei('10'))),
      ...suggestion(toHex(parseGwei('1'))),
      eth_estimateGas: () => toHex(8_000_000n),
    })
    const call = {
      to: stage.localnet.tokens.USDC,
      value: 0n,
      data: `0x095ea7b3${friend.slice(2).padStart(64, '0')}${'0'.repeat(63)}1`,
    } as const
    expect(feeRiskOf(await previewCalls(worker, call))).toBe('large')
  })

  it('flags nothing on an honest RPC', async () => {
    const worker = createWorker(browser)
    expect((await worker.review(trade('1'))).feeDoubt).toBeUndefined()
    expect((await previewTransfer(worker, parseEther('0.1'))).feeDoubt).toBeUndefined()
    expect(feeRiskOf(await previewCalls(worker, { to: friend, value: parseEther('0.1') }))).toBeUndefined()
  })
})
