import { erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { accept, createBrowser, createWorker, useStage } from '../../helpers/background/worker.ts'
import { type Tell, tells } from '../../helpers/node/contextReaders.ts'
import { type GethNode, type GethTraits, startGethNode } from '../../helpers/node/gethNode.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// Pays the minimum if it detects simulation, else keeps the input.

const stage = useStage()
let node: GethNode
let router: Address
const { abi, bytecode } = readArtifact('Turncoat')

beforeAll(async () => {
  const { client, tokens } = stage.localnet
  await client.setCoinbase({ address: '0x95222290dd7278aa3ddd389cc1e1d165cc4bafe5' })
  const hash = await client.deployContract({ abi, bytecode, args: [] } as never)
  router = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  const args = [router, 100_000_000_000n] as const
  await client.writeContractSync({ address: tokens.USDC, abi: erc20Abi, functionName: 'transfer', args })
  node = await startGethNode(stage.localnet.rpcUrl, [], { hasBeaconRoots: true })
})
afterAll(() => node?.stop())

const viaRouter = (api: SwapApi): SwapApi => ({
  ...api,
  permitKinds: [],
  spender: async () => router,
  swap: async (trade, options) => ({ ...(await api.swap(trade, options)), to: router, gas: 300_000n }),
})

async function arm(tell: Tell): Promise<void> {
  const args = [tells.indexOf(tell)]
  await stage.localnet.client.writeContractSync({
    address: router,
    abi,
    functionName: 'arm',
    args,
    gas: 300_000n,
  } as never)
}

async function setUp(rpcUrl: string) {
  const network = { ...stage.network, rpcUrl, router }
  const browser = await createBrowser({ ...stage, network })
  const worker = createWorker(browser, { api: viaRouter })
  const trade = {
    chainId: 31337,
    sell: nativeTokenAddress,
    buy: stage.localnet.tokens.USDC,
    amount: parseEther('5'),
  }
  return { browser, worker, trade }
}

it('signs a swap through a pinned router that pays', async () => {
  await arm('Switch')
  const { browser, worker, trade } = await setUp(node.url)
  const review = await worker.review(trade)
  expect(review.verdict.status).toBe('matches')
  const intent = accept(browser.account, trade, review)
  await worker.swap(intent)
  expect((await worker.over(intent.id)).outcome.status).toBe('done')
})

// A random router may pay; anvil cannot override the blob base fee.
it.each(tells.slice(1).filter((tell) => !['Odd', 'BlobBaseFee'].includes(tell)))(
  'rejects a pinned router that detects a simulation by %s and pays only then',
  async (tell) => {
    await arm('Switch')
    const { browser, worker, trade } = await setUp(node.url)
    const honest = await worker.review(trade)
    await arm(tell)
    const review = await worker.review(trade)
    expect(review.verdict.status).toBe('below-floor')
    const intent = accept(browser.account, trade, honest)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-floor' })
    const { steps } = (await worker.journal.list())[0] ?? { steps: [] }
    expect(steps.filter(isSigned)).toEqual([])
  },
)

it.each([
  ['PrevRandao', ['prevRandao'], {}],
  ['BaseFee', [], { ignores: ['baseFeePerGas'] }],
  ['BlobBaseFee', [], { blobBaseFee: 9n }],
  ['History', ['stateDiff'], {}],
] satisfies [Tell, string[], GethTraits][])(
  'rejects a pinned router when the RPC lets it detect the simulation by %s',
  async (tell, refuses, traits) => {
    const old = await startGethNode(stage.localnet.rpcUrl, refuses, traits)
    try {
      await arm(tell)
      const { worker, trade } = await setUp(old.url)
      const found = await worker.review(trade).catch((error: unknown) => error)
      expect(found).toBeInstanceOf(WalletError)
      expect(found).toMatchObject({ code: 'unsafe-transaction', facts: { fact: 'untried' } })
    } finally {
      await old.stop()
    }
  },
)
