import { expect, it } from 'vitest'
import type { Observation } from '../../../src/background/activity/incoming.ts'
import { createNetworksApi } from '../../../src/background/api/networksApi.ts'
import { createTokensApi, type TokensApiDeps } from '../../../src/background/api/tokensApi.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { dai, local, token, usdc } from '../../helpers/state/fakes.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const balances = { [nativeTokenAddress]: 5n }
const added = token('d', 'MINE', 18, false)

function create({ fails = false, withPrices = true } = {}) {
  const priced: object[] = []
  const asked: string[] = []
  const observed: Observation[] = []
  let head = 40n
  const said = (name: string) => void asked.push(name)
  const chain = {
    blockNumber: async () => {
      said('block')
      return ++head
    },
    balances: async (_owner: Address, _tokens: Address[], withPrices?: boolean) => {
      said('balances')
      if (withPrices) priced.push(chain)
      return balances
    },
    verify: async () => said('verify'),
  }
  const heads = new Map<number, bigint>()
  const networks = { chain: async () => chain, network: async () => local }
  const deps = {
    vault: { overview: async () => ({ accounts: [{ address: account }] }) },
    networks,
    prices: { open: async () => ({ chain, withPrices }) },
    tokens: async () => [usdc, dai],
    assets: { list: async () => [added] },
    heads,
    incoming: {
      async observe(observation: Observation) {
        observed.push(observation)
        if (fails) throw new WalletError('node-refused', 'No logs.')
      },
    },
  } as unknown as TokensApiDeps
  const api = createTokensApi(deps)
  const networksApi = createNetworksApi(deps.networks, deps.vault, heads)
  const read = (isComplete?: boolean) =>
    api.balances(local.chainId, account, [nativeTokenAddress], isComplete)
  return { asked, observed, priced, read, blockNumber: () => networksApi.blockNumber(local.chainId) }
}

it('asks for the block once, and only then uses the one that the view asked for', async () => {
  const { asked, observed, read, blockNumber } = create()
  expect(await read(true)).toEqual(balances)
  expect(await blockNumber()).toBe(42n)
  await read(false)
  expect(asked).toEqual(['block', 'verify', 'balances', 'block', 'balances'])
  expect(observed.map(({ block, isComplete }) => ({ block, isComplete }))).toEqual([
    { block: 41n, isComplete: true },
    { block: 42n, isComplete: false },
  ])
})

it('tracks listed and added tokens only', async () => {
  const { observed, read } = create()
  await read(true)
  expect(await observed[0]!.tracked()).toEqual(new Set([usdc.address, dai.address, added.address]))
})

it('answers with the balances even when nothing can be learned from them', async () => {
  const { read } = create({ fails: true })
  expect(await read()).toEqual(balances)
})

it('reads prices beside balances while values are shown', async () => {
  const shown = create()
  await shown.read()
  expect(shown.priced).toHaveLength(1)
  const hidden = create({ withPrices: false })
  await hidden.read()
  expect(hidden.priced).toEqual([])
})
