import { parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { createTransactionsApi } from '../../../src/background/api/transactionsApi.ts'
import type { GetToken } from '../../../src/background/tokens/getToken.ts'
import { createPreviewTransfer, transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { CallBatch } from '../../../src/domain/activity/callBatch.ts'
import type { MaxSendable, TransferPreview, TransferRequest } from '../../../src/domain/activity/transfer.ts'
import { toShown } from '../../../src/domain/activity/worse.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { readMaxAmount } from '../../../src/state/send/maxAmount.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

const friend: Address = `0x${'f1'.repeat(20)}`

function preview(asked: TransferRequest, { networks } = worker): Promise<TransferPreview> {
  const tokenOf: GetToken = async (chainId, token) => (await networks.chain(chainId)).token(token)
  return createPreviewTransfer({ networks, tokenOf })(asked)
}

function most(speed?: TransferRequest['speed'], by = worker): Promise<MaxSendable | undefined> {
  const wallet = {
    previewTransfer: (asked: TransferRequest) => preview(asked, by),
    balances: async (chainId: number, owner: Address, tokens: Address[]) =>
      (await by.networks.chain(chainId)).balances(owner, tokens),
  }
  return readMaxAmount(wallet, {
    chainId: 31337,
    account: browser.account,
    to: friend,
    ...(speed && { speed }),
  })
}

function ask(token: Address, amount: bigint, changes: Partial<TransferRequest> = {}): TransferRequest {
  return { chainId: 31337, account: browser.account, token, to: friend, amount, ...changes }
}

async function send(asked: TransferRequest, feeCap = 10n ** 18n): Promise<CallBatch> {
  const intent = transferIntent({ ...asked, id: crypto.randomUUID().replaceAll('-', ''), feeCap })
  await worker.send(intent)
  return worker.over<CallBatch>(intent.id)
}

const coins = (address: Address) => stage.localnet.client.getBalance({ address })
const held = async (token: Address, owner: Address) =>
  (await (await worker.networks.chain(31337)).balances(owner, [token]))[token]

describe('transfer preview', () => {
  it('shows the native token change, the amount that arrives and the fee at every speed', async () => {
    const found = await preview(ask(nativeTokenAddress, 5n))
    expect(found).toMatchObject({
      simulation: {
        status: 'succeeds',
        changes: [{ amount: -5n, token: { address: nativeTokenAddress } }],
        grants: [],
      },
      arrives: 5n,
      gas: 21_000n,
      l1Fee: 0n,
    })
    const { networkFee, feeCap, speeds } = found
    expect(networkFee).toBe(21_000n * speeds.normal.maxFeePerGas)
    expect(found.expectedFee).toBe(21_000n * (found.baseFeePerGas + speeds.normal.maxPriorityFeePerGas))
    expect(feeCap).toBe((networkFee * 3n) / 2n)
    expect(speeds.slow.networkFee <= speeds.normal.networkFee).toBe(true)
    expect(speeds.normal.networkFee <= speeds.fast.networkFee).toBe(true)
  })

  it('uses a custom fee for a native transfer', async () => {
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 3n }
    const found = await preview(ask(nativeTokenAddress, 5n, { speed }))
    expect(found.networkFee).toBe(21_000n * speed.maxFeePerGas)
  })

  it('shows that a token transfer arrives in full', async () => {
    const { DAI } = stage.localnet.tokens
    const found = await preview(ask(DAI, 7n))
    expect(found).toMatchObject({
      simulation: { status: 'succeeds', changes: [{ amount: -7n, token: { address: DAI } }] },
      arrives: 7n,
    })
    expect(found.gas).toBeGreaterThan(30_000n)
  })

  it('shows the amount that arrives of a fee-on-transfer token', async () => {
    const found = await preview(ask(stage.localnet.tokens.DTT, 1_000n))
    expect(found).toMatchObject({ simulation: { changes: [{ amount: -1_000n }] }, arrives: 990n })
  })

  it('estimates more gas for a native transfer to a contract', async () => {
    const to: Address = `0x${'72'.repeat(20)}`
    // Writes its storage.
    await stage.localnet.client.setCode({ address: to, bytecode: '0x600160005500' })
    const found = await preview(ask(nativeTokenAddress, 5n, { to }))
    expect(found.gas).toBeGreaterThan(45_000n)
  })

  it('omits the amount that arrives for a transfer to oneself', async () => {
    const found = await preview(ask(stage.localnet.tokens.DAI, 7n, { to: browser.account }))
    expect(found).toMatchObject({ simulation: { status: 'succeeds' } })
    expect(found.arrives).toBeUndefined()
  })

  it('includes the L1 fee of a rollup', async () => {
    const rollup = createWorker(browser, { chain: (chain): Chain => ({ ...chain, l1Fee: async () => 99n }) })
    const found = await preview(ask(nativeTokenAddress, 5n), rollup)
    expect(found.l1Fee).toBe(99n)
    expect(found.networkFee).toBe(21_000n * found.speeds.normal.maxFeePerGas + 99n)
  })

  it('rejects an amount above the balance and a fee that the account cannot pay', async () => {
    const { DAI } = stage.localnet.tokens
    const [coin, dai] = [await coins(browser.account), (await held(DAI, browser.account))!]
    await expect(preview(ask(DAI, dai + 1n))).rejects.toMatchObject({
      code: 'not-enough-balance',
      facts: { balance: String(dai), amount: String(dai + 1n) },
    })
    await expect(preview(ask(nativeTokenAddress, coin + 1n))).rejects.toMatchObject({
      code: 'not-enough-balance',
    })
    await expect(preview(ask(nativeTokenAddress, coin))).rejects.toMatchObject({ code: 'not-enough-gas' })
    await stage.localnet.client.setBalance({ address: browser.account, value: 1n })
    await expect(preview(ask(DAI, 1n))).rejects.toMatchObject({ code: 'not-enough-gas' })
  })

  it('rejects a transfer that the token or the recipient reverts', async () => {
    const { WETH } = stage.localnet.tokens
    await expect(preview(ask(nativeTokenAddress, 5n, { to: WETH }))).rejects.toMatchObject({
      code: 'would-fail',
    })
    const token: Address = `0x${'71'.repeat(20)}`
    // Returns 1 to every call, but reverts transfers.
    const bytecode = '0x60003560e01c63a9059cbb14601957600160005260206000f35b60006000fd'
    await stage.localnet.client.setCode({ address: token, bytecode })
    await expect(preview(ask(token, 1n))).rejects.toMatchObject({ code: 'would-fail' })
  })

  it('rejects a transfer that succeeds but moves no tokens', async () => {
    const token: Address = `0x${'70'.repeat(20)}`
    // Returns 1 to every call.
    await stage.localnet.client.setCode({ address: token, bytecode: '0x600160005260206000f3' })
    await expect(preview(ask(token, 1n))).rejects.toMatchObject({
      code: 'would-fail',
      facts: { reason: 'The token takes the call and moves nothing' },
    })
  })
})

describe('maximum native transfer', () => {
  it('leaves only the part of the fee that is not used', async () => {
    const has = await coins(browser.account)
    const { amount, networkFee, speed } = (await most('fast'))!
    expect(networkFee).toBe(21_000n * speed.maxFeePerGas)
    expect(amount + networkFee).toBe(has)
    const before = await coins(friend)
    const asked = ask(nativeTokenAddress, amount, { speed })
    const { feeCap } = await preview(asked)
    const sent = await send(asked, feeCap)
    expect(sent.outcome.status).toBe('done')
    expect(await coins(friend)).toBe(before + amount)
    expect(await coins(browser.account)).toBe(networkFee - sent.paid)
  })

  it('leaves nothing when the whole fee is a priority fee', async () => {
    const { maxFeePerGas } = await (await worker.networks.chain(31337)).fees()
    const speed = { maxFeePerGas, maxPriorityFeePerGas: maxFeePerGas }
    const { amount } = (await most(speed))!
    await send(ask(nativeTokenAddress, amount, { speed }))
    expect(await coins(browser.account)).toBe(0n)
  })

  it('reserves a margin for a rising L1 fee', async () => {
    const rollup = createWorker(browser, { chain: (chain): Chain => ({ ...chain, l1Fee: async () => 100n }) })
    const { networkFee, speed } = (await most('normal', rollup))!
    expect(networkFee).toBe(21_000n * speed.maxFeePerGas + 125n)
  })

  it('returns undefined when the fee exceeds the balance', async () => {
    await stage.localnet.client.setBalance({ address: browser.account, value: 5n })
    expect(await most()).toBeUndefined()
    await stage.localnet.client.setBalance({ address: browser.account, value: 0n })
    expect(await most()).toBeUndefined()
  })
})

describe('transfers', () => {
  it('sends one call and records its purpose', async () => {
    const { DAI } = stage.localnet.tokens
    const before = (await held(DAI, friend)) ?? 0n
    const sent = await send(ask(DAI, parseEther('2')))
    expect(sent).toMatchObject({
      outcome: { status: 'done' },
      intent: { purpose: { kind: 'transfer', token: DAI, to: friend, amount: parseEther('2') } },
      steps: [{ kind: 'call', nonce: 0 }],
    })
    expect(await held(DAI, friend)).toBe(before + parseEther('2'))
    expect((await worker.sendings()).map(({ intent }) => intent.id)).toEqual([sent.intent.id])
    expect(worker.heardSendings.at(-1)?.intent.id).toBe(sent.intent.id)
    expect(await worker.list()).toEqual([])
  })

  it('signs with the custom fee', async () => {
    const speed = { maxFeePerGas: 7_000_000_000n, maxPriorityFeePerGas: 3n }
    const sent = await send(ask(nativeTokenAddress, 1n, { speed }))
    const found = await stage.localnet.client.getTransaction({ hash: sent.steps[0]!.hash! })
    expect(found).toMatchObject({ ...speed, gas: 21_000n })
  })

  it('does not sign when the custom fee is too low', async () => {
    const sent = await send(
      ask(nativeTokenAddress, 1n, { speed: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } }),
    )
    expect(sent.outcome).toMatchObject({ status: 'failed', code: 'stale-review' })
  })
})

describe('transfers of a token whose fee changes after the review', () => {
  const { abi, bytecode } = readArtifact('FlippingToken')
  let token: Address
  const write = (functionName: string, args: unknown[]) =>
    stage.localnet.client.writeContractSync({
      address: token,
      abi,
      functionName,
      args,
      gas: 100_000n,
    } as never)

  beforeEach(async () => {
    const { client } = stage.localnet
    const hash = await client.deployContract({ abi, bytecode, args: [] } as never)
    token = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
    await write('mint', [browser.account, 1_000n])
  })

  async function reviewed(id: string) {
    const asked = ask(token, 100n)
    const { simulation, feeCap, arrives } = await preview(asked)
    expect(arrives).toBe(100n)
    await write('flip', [true])
    const expected = toShown(simulation)
    return { ...asked, id, feeCap, ...(expected && { expected }) }
  }

  it('rejects the transfer before it reaches the journal', async () => {
    const { vault, networks } = worker
    const wallet = createTransactionsApi({
      vault,
      networks,
      previewTransfer: preview,
      intents: worker,
      incoming: { list: async () => [] },
    })
    const accepted = await reviewed('a'.repeat(32))
    await expect(wallet.send(accepted)).rejects.toMatchObject({
      code: 'outcome-changed',
      facts: { kind: 'arrives', expected: '100', found: '50' },
    })
    expect(await worker.find(accepted.id)).toBeUndefined()
    await write('flip', [false])
    await wallet.send(accepted)
    expect((await worker.over<CallBatch>(accepted.id)).outcome.status).toBe('done')
  })

  it('fails in the journal without a signature', async () => {
    const accepted = await reviewed('b'.repeat(32))
    await worker.send(transferIntent(accepted))
    const { outcome, steps } = await worker.over<CallBatch>(accepted.id)
    expect(outcome).toMatchObject({ status: 'failed', code: 'outcome-changed' })
    expect(steps).toMatchObject([{ state: 'waiting' }])
  })
})

describe('isContract', () => {
  it('returns true for contract code, but false for an EIP-7702 delegated account', async () => {
    const { client, tokens } = stage.localnet
    const chain = await worker.networks.chain(31337)
    const delegated: Address = `0x${'73'.repeat(20)}`
    await client.setCode({ address: delegated, bytecode: `0xef0100${'11'.repeat(20)}` })
    const asked = [tokens.DAI, browser.account, delegated]
    expect(await Promise.all(asked.map((address) => chain.isContract(address)))).toEqual([true, false, false])
  })
})
