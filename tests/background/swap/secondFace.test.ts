import { encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { createPreviewTransfer } from '../../../src/background/send/transfer.ts'
import { newToken } from '../../../src/chain/erc20.ts'
import type { Trade } from '../../../src/domain/swap/trade.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { accept, type Browser, createBrowser, createWorker, useStage, type Wanted } from '../worker.ts'

// Tokens whose contracts move items of a second standard with each whole unit (contracts/test/DualToken.sol).

const stage = useStage()
let browser: Browser
const tokens = {} as Record<string, Address>

const poolAbi = parseAbi([
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
  'function mint(address) returns (uint256)',
  'function exempt(address)',
])

const names = [
  'BothTransfersToken',
  'RenamedTransferToken',
  'CountedItemsToken',
  'MirroredToken',
  'UnnamedMirrorToken',
] as const

/** Deploys a token with 10,000 of it and of DAI in a pool of Uniswap V2. */
async function issue(name: string): Promise<Address> {
  const { client, contracts, tokens } = stage.world
  const { abi, bytecode } = readArtifact(name)
  const { contractAddress } = await client.receiptOf(await client.deployContract({ abi, bytecode } as never))
  const token = contractAddress?.toLowerCase() as Address
  const send = (to: Address, data: Hex) => client.execute({ to, data })
  const pair = [token, tokens.DAI] as const
  await send(
    contracts.v2Factory,
    encodeFunctionData({ abi: poolAbi, functionName: 'createPair', args: pair }),
  )
  const pool = await client.readContract({
    address: contracts.v2Factory,
    abi: poolAbi,
    functionName: 'getPair',
    args: pair,
  })
  await send(token, encodeFunctionData({ abi: poolAbi, functionName: 'exempt', args: [pool] }))
  for (const one of pair) {
    const args = [pool, parseEther('10000')] as const
    await send(one, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
  }
  await send(pool, encodeFunctionData({ abi: poolAbi, functionName: 'mint', args: [pool] }))
  return token
}

beforeAll(async () => {
  for (const name of names) tokens[name] = await issue(name)
  browser = await createBrowser(stage)
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [browser.account, parseEther('20')],
  })
  for (const name of names) await stage.world.client.execute({ to: tokens[name]!, data })
})

function balance(token: Address): Promise<bigint> {
  return stage.world.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [browser.account],
  })
}

async function swap(sell: Address, buy: Address, amount: bigint, wanted: Wanted = {}) {
  const worker = createWorker(browser)
  const trade: Trade = { chainId: 31337, sell, buy, amount }
  const review = await worker.review(trade, wanted)
  const intent = accept(browser.account, trade, review, wanted)
  await worker.swap(intent)
  return { review, ...(await worker.over(intent.id)) }
}

describe.each(names)('%s', (name) => {
  it('is bought for what arrives', async () => {
    const { DAI } = stage.world.tokens
    const token = tokens[name]!
    const before = await balance(token)
    const { review, outcome } = await swap(DAI, token, parseEther('3.3'))
    expect(review.verdict).toMatchObject({ status: 'matches' })
    expect(outcome).toMatchObject({ status: 'done', received: (await balance(token)) - before })
  })

  it('is sent, with its items named', async () => {
    const { networks } = createWorker(browser)
    const previewTransfer = createPreviewTransfer({
      networks,
      tokenOf: async (_chainId, token) => newToken(token, '', '', 18),
    })
    const to = stage.world.accounts[3]!.address.toLowerCase() as Address
    const preview = await previewTransfer({
      chainId: 31337,
      account: browser.account,
      token: tokens[name]!,
      to,
      amount: parseEther('2'),
    })
    expect(preview.arrives).toBe(parseEther('2'))
    expect(preview.simulation).toMatchObject({ status: 'succeeds' })
    const changes = 'changes' in preview.simulation ? preview.simulation.changes : []
    expect(changes.map(({ amount, nft }) => [amount, nft !== undefined])).toEqual(
      expect.arrayContaining([
        [-parseEther('2'), false],
        [-1n, true],
        [-1n, true],
      ]),
    )
    expect(changes).toHaveLength(3)
  })
})
