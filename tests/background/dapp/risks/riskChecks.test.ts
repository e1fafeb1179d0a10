import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../src/domain/token/token.ts'
import { useRiskStage } from '../../../helpers/background/riskStage.ts'

const { stage, made, deploy, teach, sendBefore, ask } = useRiskStage()

const thief: Address = `0x${'bd'.repeat(20)}`
const raise = parseAbi(['function increaseAllowance(address spender, uint256 amount)'])
const setAll = parseAbi(['function setApprovalForAll(address operator, bool approved)'])
const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const v2 = parseAbi([
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  'function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)',
  'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
])
const held = parseUnits('25000', 6)
const late = 4_000_000_000n

const approve = (token: Address, spender: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})

async function refuses(asked: Awaited<ReturnType<typeof ask>>): Promise<void> {
  const { client } = stage.localnet
  const nonce = await client.getTransactionCount({ address: made.browser.account })
  await expect(asked.approve([])).rejects.toMatchObject({ code: 'stale-review' })
  expect(await client.getTransactionCount({ address: made.browser.account })).toBe(nonce)
  await asked.reject()
}

describe('allowance for an unknown spender', () => {
  it.each<[string, bigint]>([
    ['2^128−2', 2n ** 128n - 2n],
    ['10^30', 10n ** 30n],
    ['one unit more than the balance', held + 1n],
    ['2^96−1', 2n ** 96n - 1n],
    ['2^256−1', maxUint256],
  ])('requires acknowledgement for an amount of %s', async (_name, amount) => {
    const { USDC } = stage.localnet.tokens
    const asked = await ask(approve(USDC, thief, amount))
    expect(asked.risks).toContainEqual({
      kind: 'beyond-balance',
      token: USDC,
      spender: thief,
      balance: held,
      isHidden: false,
      isGrave: true,
    })
    await refuses(asked)
  })

  it('sends the approval once acknowledged', async () => {
    const { LINK } = stage.localnet.tokens
    const asked = await ask(approve(LINK, thief, 10n ** 30n))
    expect(asked.ticks).toHaveLength(1)
    expect(await asked.send()).toMatch(/^0x[0-9a-f]{64}$/)
    await sendBefore({ ...approve(LINK, thief, 0n), value: 0n })
  })

  it('requires no acknowledgement up to the balance, even for 2^96−1', async () => {
    const { USDC, DAI } = stage.localnet.tokens
    for (const amount of [1n, held - 1n, held]) {
      const asked = await ask(approve(USDC, thief, amount))
      expect(asked.ticks).toEqual([])
      expect(asked.risks).toEqual([{ kind: 'call', warning: 'unknown-spender', isGrave: false }])
      await asked.reject()
    }
    const { client } = stage.localnet
    const mint = parseAbi(['function mint(address to, uint256 value)'])
    const data = encodeFunctionData({
      abi: mint,
      functionName: 'mint',
      args: [made.browser.account, 2n ** 96n],
    })
    await client.receiptOf(await client.sendTransaction({ to: DAI, data } as never))
    const asked = await ask(approve(DAI, thief, 2n ** 96n - 1n))
    expect(asked.ticks).toEqual([])
    await asked.reject()
  })

  it('shows no warning when the batch spends the whole allowance', async () => {
    const { USDC } = stage.localnet.tokens
    const venue = await deploy('Venue')
    const deposit = encodeFunctionData({
      abi: parseAbi(['function supply(address asset, uint256 amount, address onBehalfOf, uint16 code)']),
      args: [USDC, held, made.browser.account, 0],
    })
    await teach(venue, deposit, { takes: USDC, taken: held })
    const asked = await ask(approve(USDC, venue, held), { to: venue, data: deposit })
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toEqual([])
    await asked.reject()
  })

  it('requires acknowledgement when the batch moves the balance and leaves the allowance', async () => {
    const { USDC } = stage.localnet.tokens
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, held] })
    const asked = await ask(approve(USDC, thief, held), { to: USDC, data: transfer })
    await refuses(asked)
  })

  it.each([
    ['with logs', false],
    ['without logs', true],
  ])('adds an increase to the existing allowance of a token %s', async (_name, isSilent) => {
    const token = await deploy('RaisableToken', [made.browser.account, 100n, isSilent])
    const data = encodeFunctionData({ abi: raise, args: [thief, 60n] })
    const first = await ask({ to: token, data })
    expect(first.ticks).toEqual([])
    await first.send()
    const second = await ask({ to: token, data })
    expect(second.ticks).toHaveLength(1)
    await refuses(second)
  })

  it('requires acknowledgement at Permit2 for more than the balance', async () => {
    const { USDC } = stage.localnet.tokens
    const { permit2 } = stage.localnet.contracts
    const lend = (amount: bigint) => ({
      to: permit2,
      data: encodeFunctionData({ abi: permit2Abi, args: [USDC, thief, amount, 2_000_000_000] }),
    })
    const within = await ask(lend(held))
    expect(within.ticks).toEqual([])
    await within.reject()
    const beyond = await ask(lend(held + 1n))
    expect(beyond.risks).toContainEqual(expect.objectContaining({ kind: 'beyond-balance', spender: thief }))
    await refuses(beyond)
  })

  it('requires acknowledgement for a whole collection', async () => {
    const collection = await deploy('Venue')
    const data = encodeFunctionData({ abi: setAll, args: [thief, true] })
    await refuses(await ask({ to: collection, data }))
  })

  it('only notes an unlimited allowance for a known router', async () => {
    const { USDC } = stage.localnet.tokens
    const asked = await ask(approve(USDC, stage.localnet.contracts.v2Router, maxUint256))
    expect(asked.risks).toEqual([expect.objectContaining({ kind: 'beyond-balance', isGrave: false })])
    await asked.reject()
  })
})

describe('minimum received of a swap', () => {
  const path = () => [stage.localnet.tokens.USDC, stage.localnet.tokens.WETH] as const
  const sold = parseUnits('3000', 6)
  const swap = (floor: bigint, amount = sold) => ({
    to: stage.localnet.contracts.v2Router,
    data: encodeFunctionData({
      abi: v2,
      functionName: 'swapExactTokensForTokens',
      args: [amount, floor, path(), made.browser.account, late],
    }),
  })
  const allow = () => approve(stage.localnet.tokens.USDC, stage.localnet.contracts.v2Router, sold)

  it('requires acknowledgement for a minimum of one unit and reports both amounts', async () => {
    await sendBefore({ ...allow(), value: 0n })
    const asked = await ask(swap(1n))
    expect(asked.status).toBe('succeeds')
    const { WETH } = stage.localnet.tokens
    const [risk] = asked.risks
    expect(risk).toMatchObject({ kind: 'low-minimum', buy: WETH, promised: 1n, isGrave: true })
    if (risk?.kind !== 'low-minimum') throw new Error('no minimum')
    expect(risk.expected > parseEther('0.95') && risk.expected < parseEther('1.05')).toBe(true)
    await refuses(asked)
  })

  it('shows no warning for a minimum near the expected amount', async () => {
    await sendBefore({ ...allow(), value: 0n })
    const asked = await ask(swap(parseEther('0.97')))
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toEqual([])
    await asked.reject()
  })

  it('requires acknowledgement by market price when the simulation reverts', async () => {
    await sendBefore({
      ...approve(stage.localnet.tokens.USDC, stage.localnet.contracts.v2Router, 0n),
      value: 0n,
    })
    const asked = await ask(swap(1n))
    expect(asked.status).toBe('reverts')
    expect(asked.risks).toContainEqual(expect.objectContaining({ kind: 'low-minimum', promised: 1n }))
    await refuses(asked)
  })

  it('requires acknowledgement when two swaps in a row share a low minimum', async () => {
    const asked = await ask(allow(), swap(1n, sold / 2n), swap(1n, sold / 2n))
    expect(asked.risks).toContainEqual(expect.objectContaining({ kind: 'low-minimum', promised: 2n }))
    await refuses(asked)
  })

  it('requires acknowledgement when far more may be sold than is needed', async () => {
    await sendBefore({
      ...approve(stage.localnet.tokens.USDC, stage.localnet.contracts.v2Router, held),
      value: 0n,
    })
    const asked = await ask({
      to: stage.localnet.contracts.v2Router,
      data: encodeFunctionData({
        abi: v2,
        functionName: 'swapTokensForExactTokens',
        args: [parseEther('0.5'), held, path(), made.browser.account, late],
      }),
    })
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toContainEqual(expect.objectContaining({ kind: 'low-minimum' }))
    await refuses(asked)
  })

  it('compares the minimum for native tokens that are sold', async () => {
    const { USDC, WETH } = stage.localnet.tokens
    const sell = (floor: bigint) => ({
      to: stage.localnet.contracts.v2Router,
      value: parseEther('1'),
      data: encodeFunctionData({
        abi: v2,
        functionName: 'swapExactETHForTokens',
        args: [floor, [WETH, USDC], made.browser.account, late],
      }),
    })
    const fair = await ask(sell(parseUnits('2900', 6)))
    expect(fair.risks).toEqual([])
    await fair.reject()
    await refuses(await ask(sell(1n)))
  })
})

describe('exchange with opaque calldata', () => {
  const data = encodeFunctionData({
    abi: parseAbi(['function trade(bytes route)']),
    args: ['0x1234'],
  })
  const exchange = async (given: bigint, gives: Address) => {
    const { USDC } = stage.localnet.tokens
    const venue = await deploy('Venue')
    const { client } = stage.localnet
    const fundToken = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [venue, given] })
    await client.receiptOf(await client.sendTransaction({ to: gives, data: fundToken } as never))
    await teach(venue, data, { takes: USDC, taken: parseUnits('3000', 6), gives, given })
    return ask(approve(USDC, venue, parseUnits('3000', 6)), { to: venue, data })
  }

  it('requires acknowledgement for one wei in return for 3,000 USDC', async () => {
    const { DAI } = stage.localnet.tokens
    const asked = await exchange(1n, DAI)
    expect(asked.status).toBe('succeeds')
    const [risk] = asked.risks
    expect(risk).toMatchObject({ kind: 'loss', buy: DAI, received: 1n, isGrave: true })
    if (risk?.kind !== 'loss') throw new Error('no loss')
    expect(risk.expected > parseEther('2900') && risk.expected < parseEther('3100')).toBe(true)
    await refuses(asked)
  })

  it('shows no warning for a return at market value', async () => {
    const asked = await exchange(parseEther('2950'), stage.localnet.tokens.DAI)
    expect(asked.risks).toEqual([])
    await asked.reject()
  })
})

describe('exchange for an unverified token', () => {
  const data = encodeFunctionData({ abi: parseAbi(['function invest(bytes route)']), args: ['0x1234'] })
  const sold = parseUnits('3000', 6)
  const invest = async (more: { item?: bigint } = {}) => {
    const { USDC } = stage.localnet.tokens
    const venue = await deploy('Venue')
    const token = await deploy('ReceiptToken', [venue])
    await teach(venue, data, { takes: USDC, taken: sold, gives: token, given: parseEther('3000'), ...more })
    return { token, request: () => ask(approve(USDC, venue, sold), { to: venue, data }) }
  }

  it.each<[string, { item?: bigint }]>([
    ['alone', {}],
    ['with an item', { item: 7n }],
  ])('requires acknowledgement for the token %s', async (_name, more) => {
    const { token, request } = await invest(more)
    const asked = await request()
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toEqual([{ kind: 'doubtful-token', token, isGrave: true }])
    await refuses(asked)
  })

  it('only notes the missing price after the user added the token', async () => {
    const { token, request } = await invest()
    const chain = await made.desk.worker.networks.chain(31337)
    await made.desk.assets.add(31337, await chain.token(token), '')
    const asked = await request()
    expect(asked.risks).toEqual([{ kind: 'unpriced', isGrave: false }])
    await asked.reject()
  })
})

describe('acknowledgement of warnings', () => {
  it('rejects an acknowledgement of another warning or of another spender', async () => {
    const { USDC } = stage.localnet.tokens
    const asked = await ask(approve(USDC, thief, held + 1n))
    await expect(asked.approve(['unseen', 'low-minimum 0x 9'])).rejects.toMatchObject({
      code: 'stale-review',
    })
    await expect(asked.approve(asked.ticks.map((key) => key.replace(thief, USDC)))).rejects.toMatchObject({
      code: 'stale-review',
    })
    await asked.reject()
  })
})
