import { encodeFunctionData, erc20Abi, parseAbi, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { createPreviewTransfer } from '../../../src/background/transfers/transfer.ts'
import type { Companion } from '../../../src/domain/activity/simulation.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { getCompanions } from '../../../src/domain/swap/simulationCheck.ts'
import type { Review } from '../../../src/domain/swap/swap.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { newToken } from '../../../src/evm/erc20.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
} from '../../helpers/background/worker.ts'
import { giveToken, issueDualToken } from '../../helpers/node/dualTokens.ts'

// Tokens of two standards (contracts/test/DualToken.sol).

const stage = useStage()
let browser: Browser
const tokens = {} as Record<string, Address>

const names = [
  'BothTransfersToken',
  'RenamedTransferToken',
  'CountedItemsToken',
  'MirroredToken',
  'UnnamedMirrorToken',
] as const

beforeAll(async () => {
  for (const name of names) tokens[name] = await issueDualToken(stage.localnet, name)
  browser = await createBrowser(stage)
  for (const name of names) await giveToken(stage.localnet, tokens[name]!, browser.account, 20)
})

function balance(token: Address): Promise<bigint> {
  return stage.localnet.client.readContract({
    address: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [browser.account],
  })
}

async function swap(
  sell: Address,
  buy: Address,
  amount: bigint,
  ticked: (review: Review) => Companion[] = ({ verdict }) => getCompanions(verdict),
) {
  const worker = createWorker(browser)
  const trade: Trade = { chainId: 31337, sell, buy, amount }
  const review = await worker.review(trade)
  const intent = { ...accept(browser.account, trade, review), acceptedCompanions: ticked(review) }
  await worker.swap(intent)
  return { review, ...(await worker.over(intent.id)) }
}

const itemsOf = (token: Address) =>
  stage.localnet.client.readContract({
    address: token,
    abi: parseAbi(['function itemsOf(address) view returns (uint256[])']),
    functionName: 'itemsOf',
    args: [browser.account],
  })

const linked = names.filter((name) => name !== 'UnnamedMirrorToken')

describe.each(linked)('%s', (name) => {
  it('sells the token with its linked items once they were accepted', async () => {
    const { DAI } = stage.localnet.tokens
    const token = tokens[name]!
    const [before, items] = [await balance(token), await itemsOf(token)]
    const { review, outcome } = await swap(token, DAI, parseEther('2.5'))
    expect(review.verdict).toMatchObject({ status: 'matches' })
    expect(outcome).toMatchObject({ status: 'done' })
    expect(before - (await balance(token))).toBe(parseEther('2.5'))
    const left = items.slice((await itemsOf(token)).length)
    expect(left.length).toBeGreaterThan(1)
    expect(new Set(getCompanions(review.verdict).map(({ nft }) => nft))).toEqual(new Set(left))
  })

  it.each([
    ['none of them', () => []],
    ['all but one', ({ verdict }: Review) => getCompanions(verdict).slice(1)],
    ['others', ({ verdict }: Review) => getCompanions(verdict).map((one) => ({ ...one, nft: 10n ** 9n }))],
    [
      'those of another contract',
      ({ verdict }: Review) =>
        getCompanions(verdict).map((one) => ({ ...one, token: stage.localnet.tokens.DAI })),
    ],
  ] as const)('does not sell when %s were accepted', async (_what, ticked) => {
    const { DAI } = stage.localnet.tokens
    const { steps, outcome } = await swap(tokens[name]!, DAI, parseEther('2'), ticked)
    expect(outcome).toMatchObject({ status: 'failed', code: 'unexpected-change', facts: { kind: 'leaves' } })
    expect(steps.every(({ state }) => state === 'waiting')).toBe(true)
  })
})

describe('items of another contract', () => {
  it('blocks a sale when the sold token does not name the contract of the items', async () => {
    const { DAI } = stage.localnet.tokens
    const { review, outcome } = await swap(tokens.UnnamedMirrorToken!, DAI, parseEther('2'))
    expect(review.verdict).toMatchObject({
      status: 'unexpected',
      what: [{ kind: 'leaves' }, { kind: 'leaves' }],
    })
    expect(outcome).toMatchObject({ status: 'failed', code: 'unexpected-change' })
  })

  it('blocks a sale when the collection of the items does not name the sold token', async () => {
    const { client, tokens } = stage.localnet
    const token = await issueDualToken(stage.localnet, 'LootingToken')
    const { abi, bytecode } = readArtifact('Collection')
    const args = [browser.account]
    const hash = await client.deployContract({ abi, bytecode, args } as never)
    const collection = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
    await giveToken(stage.localnet, token, browser.account, 5)
    const aim = parseAbi(['function aim(address)'])
    const data = encodeFunctionData({ abi: aim, functionName: 'aim', args: [collection] })
    await client.execute({ to: token, data })
    await stage.service.engine.refresh()
    const loot = [{ token: collection, nft: 1n, amount: 1n }]
    const { review, outcome, steps } = await swap(token, tokens.DAI, parseEther('2'), () => loot)
    expect(review.verdict).toMatchObject({
      status: 'unexpected',
      what: [{ kind: 'leaves', change: { nft: 1n, token: { address: collection } } }],
    })
    expect(outcome).toMatchObject({ status: 'failed', code: 'unexpected-change' })
    expect(steps.every(({ state }) => state === 'waiting')).toBe(true)
  })
})

describe.each(names)('%s', (name) => {
  it('buys the token and reports the amount received', async () => {
    const { DAI } = stage.localnet.tokens
    const token = tokens[name]!
    const before = await balance(token)
    const { review, outcome } = await swap(DAI, token, parseEther('3.3'))
    expect(review.verdict).toMatchObject({ status: 'matches' })
    expect(outcome).toMatchObject({ status: 'done', received: (await balance(token)) - before })
  })

  it('lists the linked items in a transfer preview', async () => {
    const { networks } = createWorker(browser)
    const previewTransfer = createPreviewTransfer({
      networks,
      tokenOf: async (_chainId, token) => newToken(token, '', '', 18),
    })
    const to = stage.localnet.accounts[3]!.address.toLowerCase() as Address
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
