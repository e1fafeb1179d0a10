import {
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseEther,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../src/domain/activity/simulation.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { slow } from '../../helpers/slow.ts'
import { compileFile } from '../contracts/compiled.ts'

slow('A chain runs, and code is measured on it.')

const names = ['Liar', 'Items', 'Dozens', 'Burner', 'Chameleon'] as const

let localnet: Localnet
let network: Network
let chain: Chain
let me: Address
let other: Address
let artifacts: Record<(typeof names)[number], Artifact>
const deployed = {} as Record<(typeof names)[number], Address>

beforeAll(async () => {
  localnet = await createLocalnet()
  ;[me, other] = localnet.accounts.slice(1).map(({ address }) => address.toLowerCase()) as [Address, Address]
  network = localNetwork(localnet)
  chain = createChain(network)
  artifacts = await compileFile('Tokens.sol', names)
  for (const name of names) {
    const { abi, bytecode } = artifacts[name]
    const args = name === 'Liar' || name === 'Chameleon' ? [me] : []
    const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
    const receipt = await localnet.client.receiptOf(hash)
    deployed[name] = receipt.contractAddress?.toLowerCase() as Address
  }
  await localnet.client.impersonateAccount({ address: me })
})
afterAll(() => localnet?.stop())

const call = (to: Address, data: Hex, value = 0n): Call => ({ to, data, value })

function erc20(token: Address, functionName: 'transfer' | 'approve', args: [Address, bigint]): Call {
  return call(token, encodeFunctionData({ abi: erc20Abi, functionName, args }))
}

function to(name: (typeof names)[number], functionName: string, args: unknown[] = []): Call {
  return call(deployed[name], encodeFunctionData({ abi: artifacts[name].abi, functionName, args }))
}

async function simulation(...calls: Call[]): Promise<Simulation> {
  return (await chain.simulate(me, calls)).simulation
}

async function changes(...calls: Call[]) {
  const found = await simulation(...calls)
  if (found.status !== 'succeeds') throw new Error(JSON.stringify(found))
  return found.changes.map(({ token, amount, nft }) =>
    nft === undefined ? [token.symbol, amount] : [token.symbol, amount, nft],
  )
}

async function grants(...calls: Call[]) {
  const found = await simulation(...calls)
  if (found.status !== 'succeeds') throw new Error(JSON.stringify(found))
  return found.grants.map(({ token, spender, amount, nft }) =>
    nft === undefined ? [token.symbol, spender, amount] : [token.symbol, spender, amount, nft],
  )
}

const short = (address: Address) => `${address.slice(0, 6)}…${address.slice(-4)}`

describe('simulate', () => {
  it('reports outgoing native tokens without the fee, and the gas used by each call', async () => {
    const { simulation, gas } = await chain.simulate(me, [call(other, '0x', parseEther('1'))])
    expect(simulation).toEqual({
      status: 'succeeds',
      changes: [
        {
          token: expect.objectContaining({ address: nativeTokenAddress, symbol: 'ETH' }),
          amount: -parseEther('1'),
        },
      ],
      grants: [],
    })
    expect(gas).toEqual([21_000n])
  })

  it('describes a token by its own symbol and decimals', async () => {
    expect(await simulation(erc20(localnet.tokens.USDC, 'transfer', [other, 25n]))).toMatchObject({
      changes: [
        {
          token: { address: localnet.tokens.USDC, symbol: 'USDC', decimals: 6, listed: false },
          amount: -25n,
        },
      ],
    })
  })

  it('sums the changes of sequential calls', async () => {
    const { WETH, DAI } = localnet.tokens
    const wrap = call(WETH, encodeFunctionData({ abi: parseAbi(['function deposit()']) }), 10n)
    // WETH emits no Transfer for deposits.
    expect(await changes(wrap)).toEqual([
      ['ETH', -10n],
      ['WETH', 10n],
    ])
    expect(
      await changes(wrap, erc20(WETH, 'transfer', [other, 4n]), erc20(DAI, 'transfer', [other, 7n])),
    ).toEqual([
      ['ETH', -10n],
      ['WETH', 6n],
      ['DAI', -7n],
    ])
  })

  it('omits a transfer from the account to itself', async () => {
    expect(await changes(erc20(localnet.tokens.DAI, 'transfer', [me, 5n]))).toEqual([])
  })

  it('counts the outgoing and incoming amounts of a fee-on-transfer token', async () => {
    const { DTT } = localnet.tokens
    expect(await changes(erc20(DTT, 'transfer', [other, 1_000n]))).toEqual([['DTT', -1_000n]])
    await localnet.client.impersonateAccount({ address: other })
    const approve = erc20(DTT, 'approve', [me, 1_000n])
    const hash = await localnet.client.sendTransaction({
      account: other,
      to: DTT,
      data: approve.data,
    } as never)
    await localnet.client.receiptOf(hash)
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [other, me, 1_000n],
    })
    expect(await changes(call(DTT, data))).toEqual([['DTT', 990n]])
  })

  it('reports approvals, also of DAI and USDT, and omits revoked ones', async () => {
    const { DAI, USDT } = localnet.tokens
    expect(
      await grants(erc20(DAI, 'approve', [other, maxUint256]), erc20(USDT, 'approve', [other, 5n])),
    ).toEqual([
      ['DAI', other, maxUint256],
      ['USDT', other, 5n],
    ])
    expect(await grants(erc20(DAI, 'approve', [other, 3n]), erc20(DAI, 'approve', [other, 0n]))).toEqual([])
  })

  it('trusts balances and allowances, not events', async () => {
    expect(await changes(to('Liar', 'boast'))).toEqual([])
    expect(await changes(to('Liar', 'sneak', [300n]))).toEqual([['LIAR', -300n]])
    expect(await grants(to('Liar', 'forgive', [other]))).toEqual([['LIAR', other, maxUint256]])
    expect(await grants(to('Liar', 'approve', [other, 5n]))).toEqual([['LIAR', other, 5n]])
  })

  it.each(['byPrice', 'byBaseFee', 'byGas'])(
    'does not reveal the simulation to a contract: %s',
    async (how) => {
      expect(await changes(to('Chameleon', how))).toEqual([['CHAM', -1_000n]])
      const { USDC } = localnet.tokens
      const asked = { ...to('Chameleon', how), gas: 90_000n }
      expect(await changes(erc20(USDC, 'transfer', [other, 1n]), asked)).toEqual([
        ['USDC', -1n],
        ['CHAM', -1_000n],
      ])
    },
  )

  it('simulates for an account that cannot pay the fee, but not beyond its native balance', async () => {
    const { WETH } = localnet.tokens
    const before = await localnet.client.snapshot()
    try {
      await localnet.client.setBalance({ address: me, value: 5n })
      const wrap = (value: bigint) =>
        call(WETH, encodeFunctionData({ abi: parseAbi(['function deposit()']) }), value)
      expect(await changes(wrap(5n))).toEqual([
        ['ETH', -5n],
        ['WETH', 5n],
      ])
      expect(await changes(to('Chameleon', 'byPrice'))).toEqual([['CHAM', -1_000n]])
      const poor = { status: 'reverts', reason: 'The account cannot pay for it' }
      expect(await simulation(wrap(6n))).toEqual(poor)
      expect(await simulation(wrap(3n), wrap(3n))).toEqual(poor)
    } finally {
      await localnet.client.revert({ id: before })
    }
  })

  it('marks the simulation as crowded when 101 accounts or allowances take part', async () => {
    const many = (each: (index: number) => Call) => Array.from({ length: 101 }, (_, index) => each(index))
    const address = (index: number): Address => `0x${(index + 1_000).toString(16).padStart(40, '0')}`
    const crowded = { status: 'unknown', isCrowded: true }
    expect(await simulation(...many((index) => call(address(index), '0x', 1n)))).toMatchObject(crowded)
    const approvals = many((index) => erc20(localnet.tokens.DAI, 'approve', [address(index), 1n]))
    expect(await simulation(...approvals)).toMatchObject(crowded)
  })

  it('reports NFTs by their ids, with their approvals', async () => {
    const items = short(deployed.Items)
    expect(await changes(to('Items', 'mint', [7n]))).toEqual([[items, 1n, 7n]])
    const given = [to('Items', 'mint', [7n]), to('Items', 'transferFrom', [me, other, 7n])]
    expect(await changes(...given)).toEqual([])
    expect(await grants(...given)).toEqual([])
    expect(await grants(to('Items', 'mint', [7n]), to('Items', 'approve', [other, 7n]))).toEqual([
      [items, other, 1n, 7n],
    ])
    expect(await grants(to('Items', 'setApprovalForAll', [other, true]))).toEqual([[items, other, 'all']])
    expect(await grants(to('Items', 'setApprovalForAll', [other, false]))).toEqual([])
  })

  it('reports ERC-1155 tokens of batch and single transfers', async () => {
    const mint = to('Dozens', 'mint', [
      [1n, 2n],
      [10n, 20n],
    ])
    const dozens = short(deployed.Dozens)
    expect(await changes(mint, to('Dozens', 'give', [other, 2n, 5n]))).toEqual([
      [dozens, 10n, 1n],
      [dozens, 15n, 2n],
    ])
  })

  it('reports the other changes when a balance read burns all gas', async () => {
    expect(await changes(to('Burner', 'act'), erc20(localnet.tokens.DAI, 'transfer', [other, 7n]))).toEqual([
      ['DAI', -7n],
    ])
  })

  it('raises the gas of a heavy call that has no explicit limit', async () => {
    const heavy: Address = `0x${'4e'.repeat(20)}`
    // 307,692 rounds of 26 gas.
    await localnet.client.setCode({ address: heavy, bytecode: '0x6204b1ec5b60019003806004570000' })
    const { simulation, gas } = await chain.simulate(me, [
      erc20(localnet.tokens.DAI, 'approve', [other, 1n]),
      call(heavy, '0x'),
    ])
    expect(simulation.status).toBe('succeeds')
    expect(gas[1]).toBeGreaterThan(8_000_000n)
    expect((await chain.simulate(me, [{ ...call(heavy, '0x'), gas: 6_000_000n }])).simulation.status).toBe(
      'reverts',
    )
  })

  it('reports the revert reason and the index of the failing call', async () => {
    const { USDC } = localnet.tokens
    const tooMuch = erc20(USDC, 'transfer', [other, 10n ** 30n])
    expect(await simulation(tooMuch)).toMatchObject({
      status: 'reverts',
      reason: expect.stringContaining('ERC20InsufficientBalance'),
    })
    expect(await simulation(erc20(USDC, 'transfer', [other, 1n]), tooMuch)).toMatchObject({
      status: 'reverts',
      reason: expect.stringContaining('Call 2: ERC20InsufficientBalance'),
    })
    const unowned = await simulation(to('Items', 'transferFrom', [other, me, 99n]))
    expect(unowned).toEqual({ status: 'reverts', reason: 'not the owner', facts: {} })
    expect(await simulation(call(USDC, '0x12345678'))).toEqual({
      status: 'reverts',
      reason: 'no reason was given',
      facts: {},
    })
    expect(await simulation(call(other, '0x', 10n ** 30n))).toEqual({
      status: 'reverts',
      reason: 'The account cannot pay for it',
    })
  })

  it('detects a failing contract creation, and returns unknown otherwise', async () => {
    const { abi, bytecode } = artifacts.Liar
    const data = encodeDeployData({ abi, bytecode, args: [me] })
    expect(await simulation({ data, value: 0n })).toMatchObject({ status: 'unknown' })
    expect(await simulation({ data, value: 1n })).toMatchObject({ status: 'reverts' })
  })
})

describe('simulate: chain without Multicall3', () => {
  it('reports native token changes without a contract that reads balances', async () => {
    const bare = await localnet.client.snapshot()
    await localnet.client.setCode({ address: '0xcA11bde05977b3631167028862bE2a173976CA11', bytecode: '0x' })
    try {
      expect(await changes(call(other, '0x', 5n))).toEqual([['ETH', -5n]])
    } finally {
      await localnet.client.revert({ id: bare })
    }
  })
})

describe('nodes that lose the simulated block', () => {
  it.each([1, 2, 3, 4])('retries when request %d loses the block', async (nth) => {
    let looks = 0
    const lost = { code: -32602, message: 'BlockOutOfRangeError: block height is 37 but requested was 39' }
    const chain = createChain(network, {
      fetch: async (url, init) =>
        String(init?.body).includes('eth_simulateV1') && ++looks === nth
          ? Response.json({ jsonrpc: '2.0', id: JSON.parse(String(init?.body)).id, error: lost })
          : fetch(url, init),
    })
    const { simulation } = await chain.simulate(me, [erc20(localnet.tokens.USDC, 'transfer', [other, 1n])])
    expect(simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -1n }] })
    // Both blocks are simulated, then measured.
    expect(looks).toBe(nth <= 2 ? 6 : 8)
  })
})

describe('nodes without eth_simulateV1', () => {
  let asked = 0
  const old = () =>
    createChain(network, {
      async fetch(url, init) {
        if (!String(init?.body).includes('eth_simulateV1')) return fetch(url, init)
        asked++
        return Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } })
      },
    })

  it('requests eth_simulateV1 once for each block context', async () => {
    asked = 0
    await old().simulate(me, [erc20(localnet.tokens.USDC, 'transfer', [other, 1n])])
    expect(asked).toBe(2)
  })

  it('returns unknown, but still reports a call that would fail', async () => {
    const { USDC } = localnet.tokens
    const fine = await old().simulate(me, [erc20(USDC, 'transfer', [other, 1n])])
    expect(fine).toEqual({ simulation: { status: 'unknown', reason: 'The node cannot simulate' }, gas: [] })
    const creation = await old().simulate(me, [{ data: '0x600a600c600039600a6000f3', value: 0n }])
    expect(creation.simulation).toEqual({
      status: 'unknown',
      reason: 'Your node cannot try out the creation of a contract',
    })
    const bad = await old().simulate(me, [erc20(USDC, 'transfer', [other, 10n ** 30n])])
    expect(bad.simulation).toMatchObject({
      status: 'reverts',
      reason: expect.stringContaining('ERC20InsufficientBalance'),
    })
  })
})

describe('nodes that respond like geth', () => {
  const feesFor = (body: string) =>
    body.includes('eth_feeHistory')
      ? { baseFeePerGas: ['0x1'] }
      : body.includes('eth_maxPriorityFeePerGas')
        ? '0x1'
        : body.includes('eth_chainId')
          ? `0x${network.chainId.toString(16)}`
          : undefined

  const answering = (result: unknown) =>
    createChain(network, {
      fetch: async (_url, init) =>
        Response.json({ jsonrpc: '2.0', id: 1, result: feesFor(String(init?.body)) ?? result }),
    })

  it('reports the revert reason from the error data', async () => {
    const data = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${Buffer.from('no').toString('hex').padEnd(64, '0')}`
    const chain = answering([
      {
        calls: [
          {
            returnData: '0x',
            logs: [],
            gasUsed: '0x5208',
            status: '0x0',
            error: { code: 3, message: 'execution reverted: no', data },
          },
        ],
      },
    ])
    const { simulation } = await chain.simulate(me, [call(other, '0x')])
    expect(simulation).toEqual({ status: 'reverts', reason: 'no', facts: {} })
  })

  it('decodes the arguments of a custom error', async () => {
    const data = `0x208c5e10${'1e0'.padStart(64, '0')}${'1f4'.padStart(64, '0')}`
    const { simulation } = await answering([
      { calls: [{ returnData: data, logs: [], gasUsed: '0x5208', status: '0x0' }] },
    ]).simulate(me, [call(other, '0x')])
    expect(simulation).toEqual({
      status: 'reverts',
      reason: 'ReturnTooLow (returned 480, minimum 500)',
      facts: { error: 'ReturnTooLow', returned: '480', minimum: '500' },
    })
  })

  it('decodes the FillTooLow and TooLittleGas errors of the router', async () => {
    const words = (...values: number[]) =>
      values.map((value) => value.toString(16).padStart(64, '0')).join('')
    const refused = (selector: string, ...values: number[]) =>
      answering([
        {
          calls: [
            { returnData: `${selector}${words(...values)}`, logs: [], gasUsed: '0x5208', status: '0x0' },
          ],
        },
      ]).simulate(me, [call(other, '0x')])
    const fill = toFunctionSelector('FillTooLow(uint256,uint256,uint256,uint256)')
    expect((await refused(fill, 480, 900, 1_000, 600)).simulation).toMatchObject({
      status: 'reverts',
      facts: { error: 'FillTooLow', returned: '480', spent: '900', amount: '1000', minimum: '600' },
    })
    const gas = toFunctionSelector('TooLittleGas(uint256)')
    expect((await refused(gas, 2)).simulation).toMatchObject({ reason: 'TooLittleGas (branch 2)' })
  })

  it('varies the addresses and balances of its reader accounts between simulations', async () => {
    const overrides: [string, { balance?: string; code?: string }][] = []
    const success = { returnData: '0x', logs: [], gasUsed: '0x5208', status: '0x1' }
    const chain = createChain(network, {
      fetch: async (_url, init) => {
        const { method, params } = JSON.parse(String(init?.body))
        if (method !== 'eth_simulateV1') {
          return Response.json({ jsonrpc: '2.0', id: 1, result: feesFor(String(init?.body)) })
        }
        const [{ stateOverrides, calls }] = params[0].blockStateCalls
        overrides.push(...(Object.entries(stateOverrides) as typeof overrides))
        const result = [{ calls: calls.map(() => success) }]
        return Response.json({ jsonrpc: '2.0', id: 1, result })
      },
    })
    for (let time = 0; time < 24; time++) await chain.simulate(me, [call(other, '0x')])
    // Payer, its reading contract, native balance reader.
    const readers = [...new Set(overrides.map(([address]) => address))]
    expect(readers).toHaveLength(72)
    for (let nibble = 2; nibble < 42; nibble++) {
      expect(new Set(readers.map((reader) => reader[nibble])).size, `nibble ${nibble}`).toBeGreaterThan(4)
    }
    const balances = overrides.flatMap(([, { balance }]) => (balance === undefined ? [] : BigInt(balance)))
    expect(new Set(balances).size).toBeGreaterThan(40)
    for (const balance of balances) expect(balance).toBeLessThan(parseEther('1'))
  })

  it('marks the simulation as crowded when only the balance reads exceed the node’s limit', async () => {
    const success = { returnData: '0x', logs: [], gasUsed: '0x5208', status: '0x1' }
    const chain = createChain(network, {
      fetch: async (_url, init) => {
        const { method, params } = JSON.parse(String(init?.body))
        const answer = (body: object) => Response.json({ jsonrpc: '2.0', id: 1, ...body })
        if (method !== 'eth_simulateV1') return answer({ result: feesFor(String(init?.body)) })
        const { calls } = params[0].blockStateCalls[0]
        if (calls.length > 1) {
          return answer({ error: { code: -38015, message: 'block gas limit reached: 30000000 >= 29000000' } })
        }
        return answer({ result: [{ calls: [success] }] })
      },
    })
    const { simulation } = await chain.simulate(me, [call(other, '0x')], { tokens: [other] })
    expect(simulation).toEqual({
      status: 'unknown',
      reason: 'The node cannot read the balances after it',
      isCrowded: true,
    })
  })

  it('returns unknown for malformed responses', async () => {
    const results: unknown[] = [[{ calls: [] }], [], 'yes', [{ calls: [{ status: true }] }]]
    for (const result of results) {
      const chain = createChain(network, {
        fetch: async (_url, init) => {
          const isCall = String(init?.body).includes('eth_call')
          const answer = feesFor(String(init?.body)) ?? (isCall ? '0x' : result)
          return Response.json({ jsonrpc: '2.0', id: 1, result: answer })
        },
      })
      expect((await chain.simulate(me, [call(other, '0x')])).simulation).toMatchObject({ status: 'unknown' })
    }
  })
})
