import { erc20Abi, parseEther, parseTransaction } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import { revokeFee } from '../../../src/background/tokens/revoke.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { createCallPreview } from '../../../src/background/transfers/simulateCalls.ts'
import { createPreviewTransfer, transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { Call, CallBatch } from '../../../src/domain/activity/callBatch.ts'
import {
  acceptReplacement,
  type ReplacementKind,
  replacementAt,
} from '../../../src/domain/activity/replacement.ts'
import type { TransferPreview } from '../../../src/domain/activity/transfer.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { approvalData } from '../../../src/evm/erc20.ts'
import { multicall3 } from '../../../src/evm/rpc/multicall.ts'
import { readMaxAmount } from '../../../src/state/send/maxAmount.ts'
import { agree, type Browser, createWorker, until, type Worker } from '../../helpers/background/worker.ts'
import { type PlainNode, startPlainNode } from '../../helpers/node/plainNode.ts'

// Default anvil and Hardhat, and chains before EIP-1559, lack Multicall3.

const friend: Address = `0x${'f1'.repeat(20)}`

describe.each([
  { name: 'a chain without Multicall3', options: {}, type: 'eip1559' },
  { name: 'a chain without Multicall3 and EIP-1559', options: { hardfork: 'berlin' }, type: 'legacy' },
])('$name', ({ options, type }) => {
  let node: PlainNode
  let browser: Browser
  let worker: Worker

  beforeAll(async () => {
    node = await startPlainNode(options)
  })
  afterAll(() => node.stop())
  beforeEach(async () => {
    browser = await node.open()
    worker = createWorker(browser)
  })

  const chain = () => worker.networks.chain(31337)
  const tokenOf = async (_chainId: number, token: Address) => (await chain()).token(token)
  const held = (address: Address) => node.client.getBalance({ address })
  const wrappedOf = (owner: Address) =>
    node.client.readContract({
      address: node.wrapped,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [owner],
    })
  const deposit = (value: bigint): Call => ({ to: node.wrapped, data: '0xd0e30db0', value })

  async function carryOut(...calls: Call[]): Promise<CallBatch> {
    const intent = agree(browser.account, calls)
    await worker.send(intent)
    return checked(await worker.over<CallBatch>(intent.id))
  }

  function checked(sending: CallBatch): CallBatch {
    expect(sending.outcome).toMatchObject({ status: 'done' })
    return sending
  }

  async function typesOf(id: string): Promise<(string | undefined)[]> {
    const record = await worker.journal.get(id)
    const signed = record!.steps.filter(isSigned)
    return Promise.all(signed.map(async ({ hash }) => (await node.client.getTransaction({ hash })).type))
  }

  function previewTransfer(token: Address, amount: bigint): Promise<TransferPreview> {
    const ask = { chainId: 31337, account: browser.account, token, to: friend, amount }
    return createPreviewTransfer({ networks: worker.networks, tokenOf })(ask)
  }

  async function transfer(token: Address, amount: bigint): Promise<CallBatch> {
    const { feeCap } = await previewTransfer(token, amount)
    const id = crypto.randomUUID().replaceAll('-', '')
    const ask = { chainId: 31337, account: browser.account, token, to: friend, amount }
    await worker.send(transferIntent({ ...ask, id, feeCap }))
    return checked(await worker.over<CallBatch>(id))
  }

  it('reads native and token balances', async () => {
    await carryOut(deposit(7n))
    const balances = await (await chain()).balances(browser.account, [
      nativeTokenAddress,
      node.wrapped,
      friend,
    ])
    expect(balances).toEqual({ [nativeTokenAddress]: await held(browser.account), [node.wrapped]: 7n })
  })

  it('reads the metadata, balance and allowances of a token', async () => {
    const { account } = browser
    expect(await (await chain()).token(node.wrapped)).toMatchObject({ symbol: 'WETH', decimals: 18 })
    await carryOut({ to: node.wrapped, data: approvalData(friend, 5n), value: 0n })
    const position = await (await chain()).position(account, node.wrapped, friend)
    expect(position).toEqual({ balance: 0n, allowance: 5n, native: await held(account) })
    const allowances = await (await chain()).allowances(account, [node.wrapped], [friend, account])
    expect(allowances).toEqual([{ token: node.wrapped, spender: friend, amount: 5n }])
    expect(await (await chain()).permit2(node.wrapped, account, friend)).toBeUndefined()
  })

  it('previews and sends the native token, including the whole balance', async () => {
    const before = await held(friend)
    const preview = await previewTransfer(nativeTokenAddress, 5n)
    expect(preview).toMatchObject({
      gas: 21_000n,
      arrives: 5n,
      simulation: { status: 'succeeds', changes: [{ amount: -5n, token: { address: nativeTokenAddress } }] },
    })
    expect(preview.isLegacy ?? false).toBe(type === 'legacy')
    const { intent } = await transfer(nativeTokenAddress, 5n)
    expect(await held(friend)).toBe(before + 5n)
    expect(await typesOf(intent.id)).toEqual([type])

    const { account } = browser
    const wallet = {
      previewTransfer: createPreviewTransfer({ networks: worker.networks, tokenOf }),
      balances: async () => (await chain()).balances(account, [nativeTokenAddress]),
    }
    const most = await readMaxAmount(wallet, { chainId: 31337, account, to: friend })
    const id = crypto.randomUUID().replaceAll('-', '')
    const ask = {
      chainId: 31337,
      account,
      token: nativeTokenAddress,
      to: friend,
      amount: most!.amount,
      speed: most!.speed,
    }
    await worker.send(transferIntent({ ...ask, id, feeCap: most!.networkFee }))
    checked(await worker.over<CallBatch>(id))
    expect(await typesOf(id)).toEqual([type])
  })

  it('previews and sends a token', async () => {
    await carryOut(deposit(9n))
    const before = await wrappedOf(friend)
    expect(await previewTransfer(node.wrapped, 4n)).toMatchObject({
      arrives: 4n,
      simulation: { status: 'succeeds', changes: [{ amount: -4n, token: { address: node.wrapped } }] },
    })
    const { intent } = await transfer(node.wrapped, 4n)
    expect(await wrappedOf(friend)).toBe(before + 4n)
    expect(await typesOf(intent.id)).toEqual([type])
  })

  it('previews dapp calls with their balance and allowance changes, and sends them', async () => {
    const calls = [deposit(6n), { to: node.wrapped, data: approvalData(friend, 3n), value: 0n }]
    const ask = { kind: 'send', account: browser.account, calls }
    const approval = { id: '1', chainId: 31337, origin: 'https://site.example', ask } as unknown as Approval
    const assets = createCustomTokens(worker.local)
    const preview = await createCallPreview({ networks: worker.networks, tokenOf, assets })(approval)
    expect(preview.simulation).toMatchObject({
      status: 'succeeds',
      changes: [
        { amount: -6n, token: { address: nativeTokenAddress } },
        { amount: 6n, token: { address: node.wrapped } },
      ],
      grants: [{ amount: 3n, spender: friend }],
    })
    const { intent } = await carryOut(...calls)
    expect(await typesOf(intent.id)).toEqual([type, type])
    const revocation = { chainId: 31337, account: browser.account, token: node.wrapped, spender: friend }
    expect((await revokeFee(await chain(), revocation)).expectedFee).toBeGreaterThan(0n)
  })

  it('reviews a wrap of the native token', async () => {
    const trade = { chainId: 31337, sell: nativeTokenAddress, buy: node.wrapped, amount: 8n }
    const review = await worker.review(trade)
    expect(review).toMatchObject({ steps: ['wrap'], floor: 8n, verdict: { status: 'matches' } })
  })

  it.each(['faster', 'cancel'] as const)(
    'replaces a pending transaction (%s)',
    async (wish: ReplacementKind) => {
      await node.client.setAutomine(false)
      try {
        const intent = agree(browser.account, [{ to: friend, data: '0x', value: 1n }])
        await worker.send(intent)
        await worker.until(intent.id, ({ steps }) => steps[0]?.state === 'sent')
        const offer = await worker.replacement(intent.id, wish)
        expect(offer.isLegacy ?? false).toBe(type === 'legacy')
        const fees = replacementAt(offer, 'fast')
        expect(fees.maxPriorityFeePerGas === fees.maxFeePerGas).toBe(type === 'legacy')
        await worker.replace({ id: intent.id, wish, ...acceptReplacement(offer, fees) })
        const [step] = (await worker.journal.get(intent.id))!.steps.filter(isSigned)
        expect(step!.rivals!.map(({ raw }) => parseTransaction(raw).type)).toEqual([type, type])
        await until(async () => {
          await node.client.mine({ blocks: 1 })
          const { outcome } = (await worker.find(intent.id))!
          return outcome.status !== 'working' || undefined
        }, 'the replacement to be mined')
        const mined = step!.rivals!.at(-1)!
        expect((await node.client.getTransactionReceipt({ hash: mined.hash })).status).toBe('success')
      } finally {
        await node.client.setAutomine(true)
      }
    },
  )

  it('ignores answers of another contract at the Multicall3 address', async () => {
    // Returns 1 to every call.
    await node.client.setCode({ address: multicall3, bytecode: '0x600160005260206000f3' })
    try {
      expect(await (await chain()).balances(browser.account, [nativeTokenAddress])).toEqual({
        [nativeTokenAddress]: parseEther('10'),
      })
      expect((await previewTransfer(nativeTokenAddress, 5n)).simulation).toMatchObject({
        changes: [{ amount: -5n }],
      })
    } finally {
      await node.client.setCode({ address: multicall3, bytecode: '0x' })
    }
  })
})
