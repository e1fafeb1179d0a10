import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { findAllowanceOverride } from '../../../service/swap/allowanceSlot.ts'

let world: Localnet
beforeAll(async () => {
  world = await createLocalnet()
})
afterAll(() => world.stop())

const spender = `0x${'5b'.repeat(20)}` as const

it.each(['USDC', 'USDT', 'DAI', 'WETH', 'DTT'] as const)(
  'finds the slot of an allowance of %s',
  async (symbol) => {
    const node = connectRpc(world.rpcUrl)
    const token = world.tokens[symbol]
    const owner = world.accounts[0]!.address
    const override = await findAllowanceOverride(
      node,
      token,
      owner,
      spender,
      123_456n,
      await world.client.getBlockNumber(),
    )
    expect(override).toHaveLength(1)

    const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const
    expect(await node.readContract({ ...read, stateOverride: override })).toBe(123_456n)
    expect(await node.readContract(read)).toBe(0n)
  },
)

it('states an allowance that is there already as well: the next block may have used it up', async () => {
  const node = connectRpc(world.rpcUrl)
  const owner = world.accounts[1]!.address
  await world.client.impersonateAccount({ address: owner })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n] })
  await world.client.execute({ account: owner, to: world.tokens.DAI, data })
  const block = await world.client.getBlockNumber()
  expect(await findAllowanceOverride(node, world.tokens.DAI, owner, spender, 10n, block)).toHaveLength(1)
  expect(await findAllowanceOverride(node, world.tokens.DAI, owner, spender, 11n, block)).toHaveLength(1)
  // The block before has no allowance yet.
  expect(await findAllowanceOverride(node, world.tokens.DAI, owner, spender, 10n, block - 1n)).toHaveLength(1)
})

it('finds nothing in a token whose allowance is no slot', async () => {
  const token = `0x${'70'.repeat(20)}` as const
  // Returns 7: PUSH1 7, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
  await world.client.setCode({ address: token, bytecode: '0x60075f5260205ff3' })
  const owner = world.accounts[0]!.address
  const block = await world.client.getBlockNumber()
  const node = connectRpc(world.rpcUrl)
  expect(await findAllowanceOverride(node, token, owner, spender, 8n, block)).toBeUndefined()
})

it('gives up on a token that reads more slots than an allowance needs', async () => {
  const token = `0x${'71'.repeat(20)}` as const
  // Reads slots 17 to 0: PUSH1 17, then a loop of JUMPDEST, DUP1, SLOAD, POP.
  await world.client.setCode({
    address: token,
    bytecode: ('0x60115b8054508015600f576001900360025600' + '5b00') as Hex,
  })
  const node = connectRpc(world.rpcUrl)
  const block = await world.client.getBlockNumber()
  const owner = world.accounts[0]!.address
  expect(await findAllowanceOverride(node, token, owner, spender, 8n, block)).toBeUndefined()
})
