import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { findAllowanceOverride } from '../../../service/swap/allowanceSlot.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

const spender = `0x${'5b'.repeat(20)}` as const

it.each(['USDC', 'USDT', 'DAI', 'WETH', 'DTT'] as const)(
  'finds the storage slot of an allowance of %s',
  async (symbol) => {
    const node = connectRpc(localnet.rpcUrl)
    const token = localnet.tokens[symbol]
    const owner = localnet.accounts[0]!.address
    const override = await findAllowanceOverride(
      node,
      token,
      owner,
      spender,
      123_456n,
      await localnet.client.getBlockNumber(),
    )
    expect(override).toHaveLength(1)

    const read = { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] } as const
    expect(await node.readContract({ ...read, stateOverride: override })).toBe(123_456n)
    expect(await node.readContract(read)).toBe(0n)
  },
)

it('overrides an existing allowance as well, since the next block may have used it up', async () => {
  const node = connectRpc(localnet.rpcUrl)
  const owner = localnet.accounts[1]!.address
  await localnet.client.impersonateAccount({ address: owner })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 10n] })
  await localnet.client.execute({ account: owner, to: localnet.tokens.DAI, data })
  const block = await localnet.client.getBlockNumber()
  expect(await findAllowanceOverride(node, localnet.tokens.DAI, owner, spender, 10n, block)).toHaveLength(1)
  expect(await findAllowanceOverride(node, localnet.tokens.DAI, owner, spender, 11n, block)).toHaveLength(1)
  // The block before has no allowance yet.
  expect(
    await findAllowanceOverride(node, localnet.tokens.DAI, owner, spender, 10n, block - 1n),
  ).toHaveLength(1)
})

it('returns undefined for a token without a storage slot for allowances', async () => {
  const token = `0x${'70'.repeat(20)}` as const
  // Returns 7: PUSH1 7, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
  await localnet.client.setCode({ address: token, bytecode: '0x60075f5260205ff3' })
  const owner = localnet.accounts[0]!.address
  const block = await localnet.client.getBlockNumber()
  const node = connectRpc(localnet.rpcUrl)
  expect(await findAllowanceOverride(node, token, owner, spender, 8n, block)).toBeUndefined()
})

it('gives up on a token that reads more slots than an allowance needs', async () => {
  const token = `0x${'71'.repeat(20)}` as const
  // Reads slots 17 to 0: PUSH1 17, then a loop of JUMPDEST, DUP1, SLOAD, POP.
  await localnet.client.setCode({
    address: token,
    bytecode: ('0x60115b8054508015600f576001900360025600' + '5b00') as Hex,
  })
  const node = connectRpc(localnet.rpcUrl)
  const block = await localnet.client.getBlockNumber()
  const owner = localnet.accounts[0]!.address
  expect(await findAllowanceOverride(node, token, owner, spender, 8n, block)).toBeUndefined()
})
