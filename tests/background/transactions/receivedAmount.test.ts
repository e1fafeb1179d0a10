import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { readSwapResult } from '../../../src/background/transactions/receivedAmount.ts'
import { ownRouter } from '../../../src/domain/swap/routers.ts'
import { weth9CodeHashes } from '../../../src/domain/swap/wrap.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Receipt } from '../../../src/evm/rpc/schemas.ts'

const own = ownRouter(31337)!
const codeHash = async (address: Address) =>
  address === own.address ? own.codeHash : (`0x${'0c'.repeat(32)}` as Hex)
const node = (grown: bigint, sent = 1) => ({ codeHash, balanceChangeInBlock: async () => ({ grown, sent }) })
const silent = { codeHash, balanceChangeInBlock: () => Promise.reject(new Error('The block is forgotten.')) }

describe('readSwapResult', () => {
  const account: Address = '0xa11ce00000000000000000000000000000000001'
  const router = own.address
  const thief: Address = '0xbad0000000000000000000000000000000000002'
  const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
  const intent = {
    id: '00'.repeat(16),
    account,
    trade: { chainId: 31337, sell: `0x${'5e'.repeat(20)}` as Address, buy: weth, amount: 1n },
    slippageBps: 50,
    shown: { returns: 108n, networkFee: 0n },
    floor: 90n,
    router,
    feeCap: 1n,
  }
  const event = parseAbi([
    'event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
  ])
  const swapped = (returned: bigint, sender: Address = account, spent = 1n) => ({
    address: router,
    topics: encodeEventTopics({ abi: event, eventName: 'Swapped', args: { sender } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [spent, returned]),
  })
  const transfer = (value: bigint, to: Address = account) => ({
    address: weth,
    topics: encodeEventTopics({ abi: event, eventName: 'Transfer', args: { from: router, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  })
  const receipt = (logs: Receipt['logs']): Receipt => ({
    status: 'success',
    blockNumber: 1n,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
    isAgreed: true,
    logs,
  })

  it('prefers the Swapped event of the router to transfer events', async () => {
    expect(await readSwapResult(intent, receipt([transfer(100n), swapped(99n)]), silent)).toEqual({
      status: 'done',
      received: 99n,
    })
  })

  it('ignores Swapped events of other contracts and of other senders', async () => {
    const elsewhere = { ...swapped(1_000n), address: weth }
    const logs = [elsewhere, swapped(500n, router), transfer(100n), transfer(7n, router)]
    expect(await readSwapResult(intent, receipt(logs), silent)).toEqual({ status: 'done', received: 100n })
  })

  const coins = { ...intent, trade: { ...intent.trade, buy: nativeTokenAddress } }

  it('derives the received native tokens from the balance change and the fee paid', async () => {
    const mined = { ...receipt([transfer(100n, router)]), gasUsed: 3n, effectiveGasPrice: 2n, l1Fee: 5n }
    expect(await readSwapResult(coins, mined, node(96n))).toEqual({ status: 'done', received: 107n })
    expect(await readSwapResult({ ...coins, receiver: router }, mined, node(96n, 0))).toEqual({
      status: 'done',
      received: 96n,
    })
    expect(await readSwapResult(coins, receipt([swapped(95n)]), silent)).toEqual({
      status: 'done',
      received: 95n,
    })
  })

  it('reports only the minimum when received native tokens cannot be attributed to the swap', async () => {
    const least = { status: 'done', received: 90n, isLeast: true }
    expect(await readSwapResult(coins, receipt([]), silent)).toEqual(least)
    // Another transaction of the account.
    expect(await readSwapResult(coins, receipt([]), node(500n, 2))).toEqual(least)
    expect(await readSwapResult({ ...coins, receiver: router }, receipt([]), node(500n, 1))).toEqual(least)
    // Another payment to the account.
    expect(await readSwapResult(coins, receipt([]), node(5_000n))).toEqual(least)
  })

  it('ignores events with wrong topics, dirty padding or truncated data', async () => {
    const { address, topics, data } = swapped(99n)
    const [signature, sender] = topics as [Hex, Hex]
    const dirty: Hex = `0x01${sender.slice(4)}`
    for (const log of [
      { address, topics: [`0x${'12'.repeat(32)}` as Hex, sender], data },
      { address, topics: [signature], data },
      { address, topics: [signature, sender, sender], data },
      { address, topics: [signature, dirty], data },
      { address, topics, data: '0x' as Hex },
      { address, topics, data: data.slice(0, -2) as Hex },
    ]) {
      const brought = await readSwapResult(intent, receipt([log, transfer(100n)]), silent)
      expect(brought, JSON.stringify(log)).toEqual({ status: 'done', received: 100n })
    }
  })

  it('skips router logs without topics', async () => {
    const odd = { address: router, topics: [], data: '0x' as Hex }
    expect(await readSwapResult(intent, receipt([odd, transfer(100n)]), silent)).toEqual({
      status: 'done',
      received: 100n,
    })
  })

  it('reports the spent amount when it is less than the amount to sell', async () => {
    const partly = { ...intent, allowPartialFill: true, trade: { ...intent.trade, amount: 4n } }
    expect(await readSwapResult(partly, receipt([swapped(95n, account, 3n)]), silent)).toEqual({
      status: 'done',
      received: 95n,
      spent: 3n,
    })
    expect(await readSwapResult(partly, receipt([swapped(95n, account, 4n)]), silent)).toEqual({
      status: 'done',
      received: 95n,
    })
  })

  it('counts transfers to the chosen recipient', async () => {
    const friend: Address = `0x${'f1'.repeat(20)}`
    const logs = [transfer(7n), transfer(100n, friend)]
    expect(await readSwapResult({ ...intent, receiver: friend }, receipt(logs), silent)).toEqual({
      status: 'done',
      received: 100n,
    })
  })

  it('reports below-minimum when the swap returned less than its minimum', async () => {
    const none = { status: 'below-minimum', received: 0n }
    const stranger = { ...intent, router: thief }
    // The attack: an address without code takes the payment.
    expect(await readSwapResult(stranger, receipt([]), node(0n))).toEqual(none)
    expect(await readSwapResult({ ...coins, router: thief }, receipt([]), node(-1n))).toEqual(none)
    expect(await readSwapResult({ ...coins, router: thief }, receipt([]), node(-3n))).toEqual(none)
    expect(await readSwapResult(stranger, receipt([transfer(89n)]), node(0n))).toEqual({
      ...none,
      received: 89n,
    })
    expect(await readSwapResult(stranger, receipt([transfer(89n)]), silent)).toEqual({
      ...none,
      received: 89n,
    })
    expect(await readSwapResult(coins, receipt([]), node(88n))).toEqual({ ...none, received: 89n })
    expect(await readSwapResult(intent, receipt([swapped(89n)]), silent)).toEqual({ ...none, received: 89n })
    expect(await readSwapResult(stranger, receipt([transfer(90n)]), silent)).toEqual({
      status: 'done',
      received: 90n,
    })
  })

  it('accepts a Swapped event only from a router with the known code hash', async () => {
    const lie = { ...swapped(100n), address: thief }
    const stranger = { ...intent, router: thief }
    expect(await readSwapResult(stranger, receipt([lie, transfer(5n)]), node(5n))).toMatchObject({
      status: 'below-minimum',
      received: 5n,
    })
    const replaced = { ...silent, codeHash: async () => undefined }
    expect(await readSwapResult(intent, receipt([swapped(100n), transfer(5n)]), replaced)).toMatchObject({
      status: 'below-minimum',
      received: 5n,
    })
  })

  it('uses the balance change when the token emits fewer transfers than it pays', async () => {
    const stranger = { ...intent, router: thief }
    expect(await readSwapResult(stranger, receipt([]), node(95n))).toEqual({ status: 'done', received: 95n })
    expect(await readSwapResult(stranger, receipt([transfer(3n)]), node(95n))).toEqual({
      status: 'done',
      received: 95n,
    })
    // Unknown is not 0.
    expect(await readSwapResult(stranger, receipt([]), silent)).toEqual({
      status: 'done',
      received: 90n,
      isLeast: true,
    })
  })

  it('scales the minimum to the amount sold in a partial fill', async () => {
    const partly = {
      ...intent,
      allowPartialFill: true,
      router: thief,
      trade: { ...intent.trade, amount: 4n },
      shown: { returns: 108n, networkFee: 0n },
    }
    const sold = (value: bigint, from: Address = account, to: Address = thief) => ({
      address: partly.trade.sell,
      topics: encodeEventTopics({ abi: event, eventName: 'Transfer', args: { from, to } }) as Hex[],
      data: encodeAbiParameters([{ type: 'uint256' }], [value]),
    })
    const back = sold(2n, thief, account)
    const bought = (value: bigint) => receipt([sold(4n), back, transfer(value)])
    expect(await readSwapResult(partly, bought(45n), silent)).toEqual({
      status: 'done',
      received: 45n,
      spent: 2n,
    })
    expect(await readSwapResult(partly, bought(44n), silent)).toEqual({
      status: 'below-minimum',
      received: 44n,
      spent: 2n,
    })
    expect(await readSwapResult(partly, receipt([]), node(0n))).toMatchObject({ status: 'below-minimum' })
  })

  it('derives the amount sold from the balance change when the token emits no transfers', async () => {
    const partly = {
      ...intent,
      allowPartialFill: true,
      router: thief,
      trade: { ...intent.trade, amount: 4n },
    }
    const at = (grown: bigint, sent = 1) => ({
      codeHash,
      balanceChangeInBlock: async (_owner: Address, _block: bigint, token?: Address) => ({
        grown: token === partly.trade.sell ? grown : 45n,
        sent,
      }),
    })
    const bought = receipt([transfer(45n)])
    expect(await readSwapResult(partly, bought, at(-2n))).toEqual({
      status: 'done',
      received: 45n,
      spent: 2n,
    })
    expect(await readSwapResult(partly, bought, at(-4n))).toEqual({ status: 'below-minimum', received: 45n })
    // Another transaction may have moved it; a silent RPC says nothing.
    expect(await readSwapResult(partly, bought, at(-2n, 2))).toEqual({
      status: 'below-minimum',
      received: 45n,
    })
    expect(await readSwapResult(partly, bought, silent)).toEqual({ status: 'below-minimum', received: 45n })
  })

  it('assumes 1:1 wrapping only for the code of a known WETH9', async () => {
    const wrap = {
      ...intent,
      router: weth,
      floor: 5n,
      trade: { ...intent.trade, sell: nativeTokenAddress, amount: 5n },
    }
    const unwrap = { ...wrap, trade: { ...wrap.trade, sell: weth, buy: nativeTokenAddress } }
    const known = { ...silent, codeHash: async () => weth9CodeHashes[0] }
    for (const one of [wrap, unwrap]) {
      const shown = { ...one, shown: { returns: 5n, networkFee: 0n } }
      expect(await readSwapResult(shown, receipt([]), known)).toEqual({ status: 'done', received: 5n })
      expect(await readSwapResult(shown, receipt([]), silent)).toMatchObject({ isLeast: true })
    }
    const shown = { returns: 5n, networkFee: 0n }
    expect(await readSwapResult({ ...wrap, shown }, receipt([]), node(5n))).toEqual({
      status: 'done',
      received: 5n,
    })
    expect(await readSwapResult({ ...wrap, shown }, receipt([]), node(0n))).toEqual({
      status: 'below-minimum',
      received: 0n,
    })
    // Includes the fee of 1 wei.
    expect(await readSwapResult({ ...unwrap, shown }, receipt([]), node(4n))).toEqual({
      status: 'done',
      received: 5n,
    })
    expect(await readSwapResult({ ...unwrap, shown }, receipt([]), node(3n))).toEqual({
      status: 'below-minimum',
      received: 4n,
    })
  })
})
