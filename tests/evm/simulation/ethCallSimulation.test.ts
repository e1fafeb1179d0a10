import { concat, encodeFunctionData, erc20Abi, hashMessage, pad, parseAbi, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, readArtifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../src/domain/activity/simulation.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { probeCode } from '../../../src/evm/simulation/ethCallSimulation.ts'
import type { SimulateRequest } from '../../../src/evm/simulation/simulate.ts'
import { returning } from '../../helpers/node/code.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { type NodeProxy, notFound, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'
import { compileFile } from '../contracts/compiled.ts'

let localnet: Localnet
let network: Network
/** `wide` has eth_simulateV1, `chain` has not. */
let wide: Chain
let chain: Chain
let proxy: NodeProxy
let me: Address
let other: Address
let door: Address
let doorkeeper: Artifact
let chameleon: Address
let chameleonAbi: Artifact['abi']

const lacksSimulate = ({ method }: Question) => (method === 'eth_simulateV1' ? notFound : undefined)

beforeAll(async () => {
  localnet = await createLocalnet()
  ;[me, other] = localnet.accounts.slice(1).map(({ address }) => address.toLowerCase()) as [Address, Address]
  proxy = await startProxy(localnet.rpcUrl, lacksSimulate)
  network = localNetwork(localnet)
  wide = createChain(network)
  chain = createChain({ ...network, rpcUrl: proxy.url })
  doorkeeper = (await compileFile('Doorkeeper.sol', ['Doorkeeper'])).Doorkeeper
  door = await deploy(doorkeeper)
  const { Chameleon } = await compileFile('Tokens.sol', ['Chameleon'])
  chameleon = await deploy(Chameleon, [me])
  chameleonAbi = Chameleon.abi
})
afterAll(async () => {
  await proxy?.stop()
  await localnet?.stop()
})

const call = (to: Address, data: Hex, value = 0n): Call => ({ to, data, value })

function erc20(token: Address, functionName: 'transfer' | 'approve', args: [Address, bigint]): Call {
  return call(token, encodeFunctionData({ abi: erc20Abi, functionName, args }))
}

const weth = parseAbi(['function deposit()', 'function withdraw(uint256 amount)'])
const wrap = (value: bigint) =>
  call(localnet.tokens.WETH, encodeFunctionData({ abi: weth, functionName: 'deposit' }), value)
const unwrap = (amount: bigint) =>
  call(localnet.tokens.WETH, encodeFunctionData({ abi: weth, functionName: 'withdraw', args: [amount] }))

const exchange = parseAbi([
  'function swapExactTokensForTokens(uint256 amount, uint256 least, address[] path, address to, uint256 deadline)',
])

function sell(amount: bigint, receiver = me): Call {
  const { USDC, WETH } = localnet.tokens
  const args = [amount, 0n, [USDC, WETH], receiver, 2n ** 40n] as const
  return call(
    localnet.contracts.v2Router,
    encodeFunctionData({ abi: exchange, functionName: 'swapExactTokensForTokens', args }),
  )
}

const toDoor = (functionName: string, args: unknown[] = []) =>
  call(door, encodeFunctionData({ abi: doorkeeper.abi, functionName, args }))

async function simulation(calls: Call[], asked: SimulateRequest = { tokens: [door] }): Promise<Simulation> {
  const { simulation, gas } = await chain.simulate(me, calls, asked)
  expect(gas).toEqual([])
  return simulation
}

async function changes(calls: Call[], tokens: Address[] = [door]) {
  const found = await simulation(calls, { tokens })
  if (found.status !== 'succeeds') throw new Error(JSON.stringify(found))
  expect(found.isNarrow).toBe(true)
  return found.changes.map(({ token, amount }) => [token.symbol, amount])
}

describe('probe bytecode', () => {
  it('matches the compiled Probe.sol', () => {
    expect(probeCode).toBe(readArtifact('Probe').deployedBytecode)
  })
})

describe('simulation without eth_simulateV1', () => {
  it('returns the result of eth_simulateV1 for an approval and a swap, marked as narrow', async () => {
    const { USDC, WETH } = localnet.tokens
    const { v2Router } = localnet.contracts
    const calls = [erc20(USDC, 'approve', [v2Router, 1_500_000n]), sell(1_000_000n)]
    const asked = { tokens: [USDC, WETH] }
    const { simulation: expected, gas } = await wide.simulate(me, calls, asked)
    expect(expected).toMatchObject({
      status: 'succeeds',
      changes: [
        { token: { symbol: 'USDC' }, amount: -1_000_000n },
        { token: { symbol: 'WETH' }, amount: expect.any(BigInt) },
      ],
      grants: [{ token: { symbol: 'USDC' }, spender: v2Router, amount: 500_000n }],
    })
    expect(expected).not.toHaveProperty('isNarrow')
    expect(gas).toHaveLength(2)
    expect(await simulation(calls, asked)).toEqual({ ...expected, isNarrow: true })
  })

  it('leaves no allowance and no code at the account', async () => {
    const { USDC, WETH } = localnet.tokens
    const { v2Router } = localnet.contracts
    await changes([erc20(USDC, 'approve', [v2Router, 5n]), sell(5n)], [USDC, WETH])
    expect(await chain.allowances(me, [USDC], [v2Router])).toEqual([])
    expect(await localnet.client.getCode({ address: me })).toBeUndefined()
  })

  it('reports native token changes without network fees, outgoing and incoming', async () => {
    expect(await changes([call(other, '0x', parseEther('1'))])).toEqual([['ETH', -parseEther('1')]])
    expect(await changes([wrap(10n), unwrap(4n)])).toEqual([
      ['ETH', -6n],
      ['WETH', 6n],
    ])
  })

  it('reports the change of a called token that was not requested', async () => {
    const { USDC, WETH, DAI } = localnet.tokens
    const calls = [erc20(DAI, 'approve', [other, 0n]), erc20(USDC, 'transfer', [other, 5n])]
    expect(await changes(calls, [WETH])).toEqual([['USDC', -5n]])
  })

  it('reports the amount that reaches another recipient, like eth_simulateV1', async () => {
    const { USDC, WETH } = localnet.tokens
    const approve = erc20(USDC, 'approve', [localnet.contracts.v2Router, 1_000_000n])
    const asked = { tokens: [USDC, WETH], receiver: { holder: other, token: WETH } }
    const { simulation: expected } = await wide.simulate(me, [approve, sell(1_000_000n, other)], asked)
    if (expected.status !== 'succeeds') throw new Error(JSON.stringify(expected))
    expect(expected.arrived).toBeGreaterThan(0n)
    expect(expected.changes).toHaveLength(1)
    const narrow = await simulation([approve, sell(1_000_000n, other)], asked)
    expect(narrow).toEqual({ ...expected, isNarrow: true })

    // No balanceOf, so no arrival is visible.
    const mute = { tokens: [USDC], receiver: { holder: other, token: localnet.contracts.v2Router } }
    const fine = erc20(USDC, 'transfer', [other, 5n])
    const blind = [(await wide.simulate(me, [fine], mute)).simulation, await simulation([fine], mute)]
    for (const each of blind) {
      expect(each.status).toBe('succeeds')
      expect(each).not.toHaveProperty('arrived')
    }

    const coins = { tokens: [], receiver: { holder: other, token: nativeTokenAddress } }
    const gift = [call(other, '0x', 7n)]
    expect(await simulation(gift, coins)).toMatchObject({ arrived: 7n })
    expect((await wide.simulate(me, gift, coins)).simulation).toMatchObject({ arrived: 7n })
    expect(await simulation([wrap(1n)], coins)).toMatchObject({ arrived: 0n })
  })

  it('returns unknown when the request names no tokens', async () => {
    const unknown = { status: 'unknown', reason: 'The node cannot simulate' }
    expect(await simulation([wrap(1n)], {})).toEqual(unknown)
  })

  it('returns unknown for a contract creation', async () => {
    expect(await simulation([{ data: '0x00', value: 0n }])).toMatchObject({ status: 'unknown' })
  })

  it('reports the revert reason and the index of the failing call', async () => {
    const { USDC } = localnet.tokens
    const tooMuch = erc20(USDC, 'transfer', [other, 10n ** 30n])
    expect(await simulation([tooMuch])).toMatchObject({
      status: 'reverts',
      reason: expect.stringMatching(/^ERC20InsufficientBalance/),
    })
    expect(await simulation([tooMuch, wrap(1n)])).toMatchObject({
      status: 'reverts',
      reason: expect.stringMatching(/^Call 1: ERC20InsufficientBalance/),
    })
    expect(await simulation([wrap(1n), tooMuch])).toMatchObject({
      status: 'reverts',
      reason: expect.stringMatching(/^Call 2: ERC20InsufficientBalance/),
    })
  })

  it('spends the whole native balance of the account but no more, regardless of the fee', async () => {
    const before = await localnet.client.snapshot()
    try {
      await localnet.client.setBalance({ address: me, value: 5n })
      expect(await changes([wrap(5n)])).toEqual([
        ['ETH', -5n],
        ['WETH', 5n],
      ])
      expect(await simulation([wrap(6n)])).toEqual({
        status: 'reverts',
        reason: 'The account cannot pay for it',
      })
      expect(await simulation([wrap(3n), wrap(3n)])).toMatchObject({ status: 'unknown' })
      expect(await changes([wrap(3n), unwrap(3n), wrap(3n)])).toEqual([
        ['ETH', -3n],
        ['WETH', 3n],
      ])
    } finally {
      await localnet.client.revert({ id: before })
    }
  })

  it('limits the first call to its gas limit', async () => {
    const { USDC } = localnet.tokens
    const transfer = erc20(USDC, 'transfer', [other, 5n])
    const needed = await chain.estimateGas({ from: me, ...transfer })
    expect(await changes([{ ...transfer, gas: needed }])).toEqual([['USDC', -5n]])
    // Failing only with this gas limit proves nothing.
    expect(await simulation([{ ...transfer, gas: needed - 15_000n }])).toMatchObject({ status: 'unknown' })
  })

  it('reports outgoing native tokens on a chain without Multicall3', async () => {
    const before = await localnet.client.snapshot()
    await localnet.client.setCode({ address: localnet.contracts.multicall, bytecode: '0x' })
    try {
      expect(await changes([call(other, '0x', 5n)])).toEqual([['ETH', -5n]])
    } finally {
      await localnet.client.revert({ id: before })
    }
  })
})

describe('contracts simulated through the probe', () => {
  it.each(['byPrice', 'byBaseFee', 'byGas'])(
    'does not reveal the simulation to a contract: %s',
    async (functionName) => {
      const data = encodeFunctionData({ abi: chameleonAbi, functionName })
      const change = ['CHAM', -1_000n]
      expect(await changes([{ ...call(chameleon, data), gas: 90_000n }])).toEqual([change])
      expect(await changes([wrap(1n), call(chameleon, data)])).toContainEqual(change)
    },
  )

  it('does not let a contract execute calls as the account', async () => {
    const { USDC } = localnet.tokens
    const { data } = erc20(USDC, 'transfer', [door, 5n])
    const words = [BigInt(USDC), 0n, 100_000n, 68n].map((word) => toHex(word, { size: 32 }))
    const packed = concat([...words, data])
    expect(await changes([toDoor('callBack', [packed])], [USDC])).toEqual([['DOOR', 1n]])
    expect(await changes([toDoor('callBack', ['0x'])], [USDC])).toEqual([['DOOR', 1n]])
  })

  it('accepts NFTs through onERC721Received', async () => {
    expect(await changes([toDoor('hand')])).toEqual([['DOOR', 1n]])
  })

  it('accepts only signatures of the account', async () => {
    const hash = hashMessage('Hello')
    const signer = (index: number) => privateKeyToAccount(localnet.accounts[index]!.privateKey)
    const mine = await signer(1).signMessage({ message: 'Hello' })
    const theirs = await signer(2).signMessage({ message: 'Hello' })
    // The first call succeeds, so only the probe can fail.
    const signed = (digest: Hex, signature: Hex) => [wrap(1n), toDoor('signed', [digest, signature])]
    expect(await changes(signed(hash, mine))).toContainEqual(['DOOR', 1n])
    const wrong = { status: 'unknown', reason: 'The node cannot simulate' }
    expect(await simulation(signed(hash, theirs))).toEqual(wrong)
    expect(await simulation(signed(hashMessage('Bye'), mine))).toEqual(wrong)
    expect(await simulation(signed(pad(me), `0x${'00'.repeat(65)}`))).toEqual(wrong)
  })

  it('returns unknown, not reverted, when a contract rejects the probe', async () => {
    expect(await simulation([toDoor('personally')])).toMatchObject({ status: 'unknown' })
    expect(await simulation([wrap(1n), toDoor('personally')])).toMatchObject({ status: 'unknown' })
  })
})

describe('eth_simulateV1 errors', () => {
  async function simulated(code: number, message: string) {
    const error = { error: { code, message } }
    const rpc = await startProxy(localnet.rpcUrl, ({ method }) =>
      method === 'eth_simulateV1' ? error : undefined,
    )
    const failing = createChain({ ...network, rpcUrl: rpc.url }, { sleep: async () => undefined })
    const tokens = [localnet.tokens.WETH]
    return failing.simulate(me, [wrap(5n)], { tokens }).finally(() => rpc.stop())
  }

  it.each([
    [-32601, 'rpc method is not whitelisted'],
    [-32603, 'Internal error'],
    [-32603, 'method handler crashed'],
    [-32000, 'backend returned an invalid reply'],
  ])('falls back to the probe on the error %i "%s"', async (code, message) => {
    const { simulation } = await simulated(code, message)
    expect(simulation).toMatchObject({ status: 'succeeds', isNarrow: true })
  })

  it.each([
    [-32603, 'Timeout expired'],
    [-32002, 'request timed out'],
    [-32000, 'execution aborted (timeout = 5s)'],
  ])('reports the calls as too heavy on a timeout: %i "%s"', async (code, message) => {
    const { simulation } = await simulated(code, message)
    expect(simulation).toMatchObject({ status: 'unknown', isCrowded: true })
  })

  it.each([
    [-32005, 'limit exceeded'],
    [-32016, 'over rate limit'],
  ])('throws node-unreachable on a rate limit instead of using the probe: %i "%s"', async (code, message) => {
    await expect(simulated(code, message)).rejects.toMatchObject({ code: 'node-unreachable' })
  })
})

describe('nodes without state overrides', () => {
  const unknown = { status: 'unknown', reason: 'The node cannot simulate' }

  async function on(
    answer: (question: Question) => object | undefined,
    work: (chain: Chain) => Promise<void>,
  ) {
    const node = await startProxy(localnet.rpcUrl, answer)
    try {
      await work(createChain({ ...network, rpcUrl: node.url }))
    } finally {
      await node.stop()
    }
    return node.methods
  }

  it('returns unknown when the node rejects the override, but still reports a revert', async () => {
    const { USDC } = localnet.tokens
    const refusing = (question: Question) =>
      question.method === 'eth_call' && question.params.length > 2
        ? { error: { code: -32602, message: 'too many arguments, want at most 2' } }
        : lacksSimulate(question)
    const methods = await on(refusing, async (chain) => {
      const { simulation, gas } = await chain.simulate(me, [wrap(1n)], { tokens: [USDC] })
      expect(simulation).toEqual(unknown)
      expect(gas).toEqual([])
      const tooMuch = erc20(USDC, 'transfer', [other, 10n ** 30n])
      expect((await chain.simulate(me, [tooMuch], { tokens: [USDC] })).simulation).toMatchObject({
        status: 'reverts',
      })
    })
    expect(methods).toContain('eth_simulateV1')
  })

  it('returns unknown, never success, when the node ignores the override', async () => {
    const before = await localnet.client.snapshot()
    const ignoring = (question: Question) => {
      question.params = question.params.slice(0, 2)
      return lacksSimulate(question)
    }
    // Without a gas price only the reader's missing code shows.
    const free = (question: Question) => {
      const [first] = question.params as Record<string, string>[]
      if (question.method === 'eth_call' && first !== undefined) {
        delete first.maxFeePerGas
        delete first.maxPriorityFeePerGas
      }
      return ignoring(question)
    }
    try {
      // EIP-7702 code returns something else.
      for (const bytecode of [
        '0x',
        returning('0x'),
        returning(pad('0x01')),
        returning(`0x${'00'.repeat(96)}`),
      ]) {
        await localnet.client.setCode({ address: me, bytecode: bytecode as Hex })
        for (const answer of [ignoring, free]) {
          await on(answer, async (chain) => {
            const asked = { tokens: [localnet.tokens.USDC] }
            const found = await chain.simulate(me, [call(other, '0x', 1n)], asked)
            expect(found.simulation, bytecode).toEqual(unknown)
          })
        }
      }
    } finally {
      await localnet.client.revert({ id: before })
    }
  })
})

async function deploy({ abi, bytecode }: Artifact, args: unknown[] = []): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  return (await localnet.client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
}
