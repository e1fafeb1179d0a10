import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Artifact, readArtifact } from '../../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Simulation } from '../../../src/domain/activity/simulation.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import { type Tell, tells } from '../../helpers/node/contextReaders.ts'
import { type GethNode, type GethTraits, startGethNode } from '../../helpers/node/gethNode.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { type NodeProxy, notFound, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'

const byReads: Tell[] = ['ReadBefore', 'ReadAfter']

const bySystem: Tell[] = ['NoBeaconRoot', 'ZeroBeaconRoot', 'History']

type Sold = 'buy' | 'visit'

const builder: Address = '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5'

let localnet: Localnet
let node: GethNode
let me: Address
let shop: Address
let turncoat: Artifact

beforeAll(async () => {
  localnet = await createLocalnet()
  me = localnet.accounts[1]?.address.toLowerCase() as Address
  const { client, tokens } = localnet
  await client.setCoinbase({ address: builder })
  turncoat = readArtifact('Turncoat')
  const hash = await client.deployContract({ ...turncoat, args: [] } as never)
  shop = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  const pay = { address: tokens.USDC, abi: erc20Abi, functionName: 'transfer', args: [shop, 9_000_000_000n] }
  await client.writeContractSync(pay as never)
  await client.impersonateAccount({ address: me })
  const lend = {
    account: me,
    address: tokens.USDC,
    abi: erc20Abi,
    functionName: 'approve',
    args: [shop, 10n ** 12n],
  }
  await client.writeContractSync(lend as never)
  node = await startGethNode(localnet.rpcUrl)
})
afterAll(async () => {
  await node?.stop()
  await localnet?.stop()
})

const networkAt = (rpcUrl: string): Network => localNetwork({ chainId: localnet.chainId, rpcUrl })

async function arm(tell: Tell): Promise<void> {
  const args = [tells.indexOf(tell)]
  await localnet.client.writeContractSync({
    address: shop,
    abi: turncoat.abi,
    functionName: 'arm',
    args,
    gas: 300_000n,
  } as never)
}

function call(functionName: Sold, value = 0n) {
  const data = encodeFunctionData({
    abi: turncoat.abi,
    functionName,
    args: [localnet.tokens.USDC, 3_000_000_000n],
  })
  // Enough even if the contract does more in a simulation.
  return { to: shop, data, value, gas: 300_000n }
}

async function changes(rpcUrl: string, functionName: Sold, value = 0n) {
  const found = await simulation(rpcUrl, functionName, value)
  if (found.status !== 'succeeds') throw new Error(JSON.stringify(found))
  return found.changes.map(({ token, amount }) => [token.address, amount])
}

async function simulation(rpcUrl: string, functionName: Sold, value = 0n): Promise<Simulation> {
  const asked = { tokens: [localnet.tokens.USDC] }
  return (await createChain(networkAt(rpcUrl)).simulate(me, [call(functionName, value)], asked)).simulation
}

/** Two draws of `prevRandao` differ in parity. */
function drawInTurns(): void {
  const draw = crypto.getRandomValues.bind(crypto)
  let draws = 0
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
    draw(bytes)
    if (bytes instanceof Uint8Array && bytes.length === 32) bytes[31] = draws++ % 2
    return bytes
  })
}

afterEach(() => void vi.restoreAllMocks())

describe('simulate: node with the defaults of go-ethereum', () => {
  // Anvil cannot override the blob base fee and lacks beacon roots.
  const others: Tell[] = ['Switch', 'Odd', 'BlobBaseFee', 'NoBeaconRoot', 'ZeroBeaconRoot', ...byReads]
  const byContext = tells.filter((tell) => !others.includes(tell))

  it.each(byContext)(
    'shows the loss when a contract pays out only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      expect(await changes(node.url, 'buy', parseEther('5'))).toEqual([
        [nativeTokenAddress, -parseEther('5')],
      ])
    },
  )

  it.each(byContext)(
    'shows the taken tokens when a contract spares the account only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      expect(await changes(node.url, 'visit')).toEqual([[localnet.tokens.USDC, -3_000_000_000n]])
    },
  )

  it('sends a complete context that differs between the two simulated blocks', async () => {
    node.asked.length = 0
    await simulation(node.url, 'buy', 1n)
    const parent = await localnet.client.getBlock()
    expect(node.asked).toHaveLength(4)
    const [one, other] = node.asked
    for (const context of [one, other]) {
      expect(context).toMatchObject({
        number: `0x${(parent.number + 1n).toString(16)}`,
        prevRandao: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        feeRecipient: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        blobBaseFee: expect.stringMatching(/^0x[1-9a-f]/),
      })
      expect(Number(context?.time)).toBeGreaterThan(Number(parent.timestamp))
      expect(Math.abs(Number(context?.gasLimit) / Number(parent.gasLimit) - 1)).toBeLessThan(1 / 1_024)
    }
    expect([one?.feeRecipient, other?.feeRecipient]).toContain(builder)
    for (const field of ['prevRandao', 'feeRecipient', 'time', 'gasLimit'])
      expect(one?.[field]).not.toBe(other?.[field])
    expect(node.asked.slice(2)).toEqual(expect.arrayContaining([one, other]))
  })

  it('marks an outcome that depends on prevRandao as unstable, and shows the worse one', async () => {
    await arm('Odd')
    drawInTurns()
    node.asked.length = 0
    const found = await simulation(node.url, 'buy', 5n)
    const lots = node.asked.map(({ prevRandao }) => BigInt(prevRandao ?? 0) % 2n)
    expect(new Set(lots)).toEqual(new Set([0n, 1n]))
    expect(found).toMatchObject({ status: 'succeeds', isUnstable: true, changes: [{ amount: -5n }] })
  })
})

// Only later go-ethereum runs system calls in simulations; alloy lacks `beaconRoot`.
describe.each([
  ['no system calls in simulations', [], { hasBeaconRoots: true }],
  ['system calls in simulations', [], { hasBeaconRoots: true, runsSystemCalls: true }],
  ['neither system calls nor beaconRoot', ['beaconRoot'], { hasBeaconRoots: true }],
])('system contracts on a node with %s', (_node, refuses, traits) => {
  let front: GethNode
  beforeAll(async () => {
    front = await startGethNode(localnet.rpcUrl, refuses, traits)
  })
  afterAll(() => front?.stop())

  it.each(bySystem)(
    'shows the loss when a contract pays out only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      const found = await simulation(front.url, 'buy', parseEther('5'))
      expect(found).toMatchObject({ status: 'succeeds', changes: [{ amount: -parseEther('5') }] })
      expect(found).not.toHaveProperty('isWeak')
    },
  )

  it.each(bySystem)(
    'shows the taken tokens when a contract spares the account only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      expect(await changes(front.url, 'visit')).toEqual([[localnet.tokens.USDC, -3_000_000_000n]])
    },
  )
})

describe('detectable simulations', () => {
  it.each([
    ['runs in the number of the latest block', 'Number', [], { ignores: ['number'] }],
    ['ignores the gas limit', 'GasLimit', [], { ignores: ['gasLimit'] }],
    ['ignores the base fee', 'BaseFee', [], { ignores: ['baseFeePerGas'] }],
    ['has another blob base fee than the next block', 'BlobBaseFee', [], { blobBaseFee: 9n }],
    [
      'writes a beacon root of zero over the one it was sent',
      'ZeroBeaconRoot',
      ['beaconRoot'],
      { hasBeaconRoots: true, runsSystemCalls: true },
    ],
    ['takes no stateDiff and has no beacon root', 'NoBeaconRoot', ['stateDiff'], { hasBeaconRoots: true }],
    ["takes no stateDiff and has no parent's hash", 'History', ['stateDiff'], {}],
  ] satisfies [string, Tell, string[], GethTraits][])(
    'marks the simulation as weak when the node %s',
    async (_how, tell, refuses, traits) => {
      const careless = await startGethNode(localnet.rpcUrl, refuses, traits)
      try {
        await arm(tell)
        const found = await simulation(careless.url, 'buy', 5n)
        // It pays, so it detected the simulation.
        expect(found).toMatchObject({ status: 'succeeds', isWeak: true })
        expect(found).toHaveProperty('changes.1.token.address', localnet.tokens.USDC)
      } finally {
        await careless.stop()
      }
    },
  )
})

describe.each([
  ['a node with the defaults of go-ethereum', undefined],
  ['anvil', () => undefined],
  [
    'a node without eth_simulateV1',
    ({ method }: Question) => (method === 'eth_simulateV1' ? notFound : undefined),
  ],
] as const)('balance reads around the calls on %s', (_node, answer) => {
  let front: GethNode | NodeProxy

  beforeAll(async () => {
    front = answer === undefined ? node : await startProxy(localnet.rpcUrl, answer)
  })
  afterAll(() => (answer === undefined ? undefined : front?.stop()))

  it.each(byReads)(
    'shows the loss when a contract pays out only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      expect(await changes(front.url, 'buy', parseEther('5'))).toEqual([
        [nativeTokenAddress, -parseEther('5')],
      ])
    },
  )

  it.each(byReads)(
    'shows the taken tokens when a contract spares the account only in simulations detected by %s',
    async (tell) => {
      await arm(tell)
      expect(await changes(front.url, 'visit')).toEqual([[localnet.tokens.USDC, -3_000_000_000n]])
    },
  )
})

describe('node with partial support of the block context', () => {
  it.each([['blobBaseFee'], ['beaconRoot', 'blobBaseFee']])(
    'omits %s once the node rejected it, and trusts the simulation',
    async (...fields) => {
      const picky = await startGethNode(localnet.rpcUrl, fields)
      try {
        const chain = createChain(networkAt(picky.url))
        await arm('PrevRandao')
        for (const _time of [1, 2]) {
          picky.asked.length = 0
          const { simulation } = await chain.simulate(me, [call('buy', 5n)])
          expect(simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
          expect(simulation).not.toHaveProperty('isWeak')
        }
        // The refusal is cached.
        expect(picky.asked).toHaveLength(4)
      } finally {
        await picky.stop()
      }
    },
  )

  it('sends the whole context again after the node also rejected a request without it', async () => {
    let isBroken = true
    const moody = await startProxy(node.url, ({ method }) =>
      method === 'eth_simulateV1' && isBroken
        ? { error: { code: -32602, message: 'invalid params' } }
        : undefined,
    )
    try {
      const chain = createChain(networkAt(moody.url))
      await arm('PrevRandao')
      await chain.simulate(me, [call('buy', 5n)])
      isBroken = false
      const { simulation } = await chain.simulate(me, [call('buy', 5n)])
      expect(simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
      expect(simulation).not.toHaveProperty('isWeak')
    } finally {
      await moody.stop()
    }
  })

  // BNB Smart Chain 2, Arbitrum 1.
  it.each([1n, 2n])(
    'trusts a node whose blocks have a difficulty of %d instead of randomness',
    async (difficulty) => {
      const unmerged = await startGethNode(localnet.rpcUrl, [], { difficulty })
      try {
        await arm('FeeRecipient')
        const found = await simulation(unmerged.url, 'buy', 5n)
        expect(found).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
        expect(found).not.toHaveProperty('isWeak')
      } finally {
        await unmerged.stop()
      }
    },
  )

  // Arbitrum's NUMBER is Ethereum's.
  it.each([
    ['is trusted where NUMBER is that of another chain', {}, undefined],
    ['is known for a NUMBER that no block of the chain has', { isNumberOverridden: true }, true],
  ])('%s', async (_title, more, isWeak) => {
    const traits = { numberOffset: 1_000n, runsSystemCalls: true, ...more }
    const rollup = await startGethNode(localnet.rpcUrl, [], traits)
    try {
      await arm('FeeRecipient')
      const found = await simulation(rollup.url, 'buy', 5n)
      expect(found).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
      expect('isWeak' in found ? found.isWeak : undefined).toBe(isWeak)
    } finally {
      await rollup.stop()
    }
  })

  it('inspects the real blocks of a node once, not for each simulation', async () => {
    const counted = await startGethNode(localnet.rpcUrl)
    try {
      const chain = createChain(networkAt(counted.url))
      await chain.simulate(me, [call('buy', 5n)])
      counted.methods.length = 0
      await chain.simulate(me, [call('buy', 5n)])
      expect(counted.methods).not.toContain('eth_call')
      expect(counted.methods).not.toContain('eth_getCode')
    } finally {
      await counted.stop()
    }
  })

  it('marks the simulation as weak when the node rejects prevRandao', async () => {
    const old = await startGethNode(localnet.rpcUrl, ['prevRandao'])
    try {
      expect(await simulation(old.url, 'buy', 5n)).toMatchObject({ status: 'succeeds', isWeak: true })
    } finally {
      await old.stop()
    }
  })

  it('sends the whole context again one minute after the node rejected a part of it', async () => {
    const refuses = ['prevRandao']
    const odd = await startGethNode(localnet.rpcUrl, refuses)
    let now = 0
    const chain = createChain(networkAt(odd.url), { now: () => now })
    const simulate = async () =>
      (await chain.simulate(me, [call('buy', 5n)], { tokens: [localnet.tokens.USDC] })).simulation
    try {
      expect(await simulate()).toMatchObject({ status: 'succeeds', isWeak: true })
      // The URL now leads to another node.
      refuses.length = 0
      now = 59_999
      expect(await simulate()).toMatchObject({ isWeak: true })
      now = 60_000
      expect(await simulate()).not.toHaveProperty('isWeak')
    } finally {
      await odd.stop()
    }
  })

  it('marks the simulation as weak when the node silently ignores the context', async () => {
    const deaf = await startProxy(localnet.rpcUrl, ({ method, params }) => {
      const [options] = params as [{ blockStateCalls: { blockOverrides: Record<string, string> }[] }]
      if (method !== 'eth_simulateV1') return undefined
      for (const block of options.blockStateCalls) {
        const { baseFeePerGas = '0x0' } = block.blockOverrides
        block.blockOverrides = { baseFeePerGas }
      }
      return undefined
    })
    try {
      expect(await simulation(deaf.url, 'buy', 5n)).toMatchObject({ status: 'succeeds', isWeak: true })
    } finally {
      await deaf.stop()
    }
  })
})
