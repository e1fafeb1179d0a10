import { encodeDeployData, keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuild } from '../../../dev/chain/artifacts.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { publicChains } from '../../../src/domain/network/chains.ts'
import { type DirectContracts, getDirectContracts } from '../../../src/domain/network/swapSource.ts'
import { isBindingRouter, knownRouters } from '../../../src/domain/swap/routers.ts'
import { blankImmutables, swapRouter02CodeHash } from '../../../src/domain/swap/swapRouter02.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { createDirectStage } from '../../helpers/node/directSwaps.ts'

const contractOf = (digit: string): Address => `0x${digit.repeat(40)}`

let localnet: Localnet

beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet?.stop())

describe('blankImmutables', () => {
  const direct = {
    wrapped: contractOf('a'),
    v3Factory: contractOf('b'),
  } as DirectContracts

  it('gives the code of every chain one hash, whatever its v2 factory and position manager', async () => {
    for (const [v2Factory, positions] of ['11', '2c', '00'].map((pair) => [...pair].map(contractOf))) {
      const code = await codeOf(v2Factory!, direct.v3Factory, positions!, direct.wrapped)
      expect(keccak256(blankImmutables(code, direct))).toBe(swapRouter02CodeHash)
    }
  })

  it('gives another hash to a router of another factory or wrapped token, and to other code', async () => {
    const [one, two] = [contractOf('1'), contractOf('2')]
    const otherFactory = await codeOf(one, contractOf('c'), two, direct.wrapped)
    const otherWrapped = await codeOf(one, direct.v3Factory, two, contractOf('c'))
    const own = await codeOf(one, direct.v3Factory, two, direct.wrapped)
    const changed: Hex = `${own.slice(0, -2) as Hex}ff`
    for (const code of [otherFactory, otherWrapped, changed, `${own}00` as Hex, '0x' as Hex]) {
      expect(keccak256(blankImmutables(code, direct))).not.toBe(swapRouter02CodeHash)
    }
  })
})

describe('the router of direct swaps', () => {
  it('is binding on the localnet by the code that the RPC has', async () => {
    const { chain, contracts } = createDirectStage(localnet)
    const codeHash = await chain.codeHash(contracts.router)
    expect(codeHash).toBe(swapRouter02CodeHash)
    expect(isBindingRouter(contracts.router, localnet.chainId, codeHash)).toBe(true)
    expect(await chain.codeHash(localnet.contracts.quoter)).not.toBe(swapRouter02CodeHash)
  })

  it('is known on every public chain that has direct swaps, nine of the ten', () => {
    const direct = publicChains.flatMap((chain) => {
      const contracts = getDirectContracts({ chainId: chain.chainId })
      return contracts ? [{ chainId: chain.chainId, contracts }] : []
    })
    expect(direct.map(({ chainId }) => chainId)).toEqual([8453, 1, 42161, 56, 137, 10, 43114, 130, 59144])
    for (const { chainId, contracts } of direct) expect(knownRouters(chainId)).toContain(contracts.router)
  })
})

/** The constructor returns the code. */
async function codeOf(
  v2Factory: Address,
  factory: Address,
  positions: Address,
  wrapped: Address,
): Promise<Hex> {
  const build = readBuild(
    '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
  )
  const data = encodeDeployData({ ...build, args: [v2Factory, factory, positions, wrapped] })
  const { data: code } = await localnet.client.call({ data })
  return code ?? '0x'
}
