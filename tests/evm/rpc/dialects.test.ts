import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { approvalData } from '../../../src/evm/erc20.ts'
import { revertingWith } from '../../helpers/node/code.ts'
import { clients, speaking } from '../../helpers/node/dialects.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { type NodeProxy, notFound, startProxy } from '../../helpers/node/rpcProxy.ts'

const spender: Address = `0x${'5b'.repeat(20)}`
const odd: Address = `0x${'0d'.repeat(20)}`
/** Error("too late"). */
const tooLate =
  `0x08c379a0${'20'.padStart(64, '0')}${'8'.padStart(64, '0')}${'746f6f206c617465'.padEnd(64, '0')}` as const

let localnet: Localnet
let owner: Address

beforeAll(async () => {
  localnet = await createLocalnet()
  owner = localnet.accounts[2]!.address
  const { client, tokens } = localnet
  await client.impersonateAccount({ address: owner })
  await client.setCode({ address: odd, bytecode: revertingWith(tooLate) })
  await client.writeContractSync({
    account: owner,
    address: tokens.USDT,
    abi: erc20Abi,
    functionName: 'approve',
    args: [spender, 7n],
  })
})
afterAll(() => localnet?.stop())

async function through(client: string, use: (chain: Chain, proxy: NodeProxy) => Promise<void>) {
  const answer = ({ method }: { method: string }) => (method === 'eth_simulateV1' ? notFound : undefined)
  const proxy = await startProxy(localnet.rpcUrl, answer, speaking(client))
  const network = localNetwork({ chainId: localnet.chainId, rpcUrl: proxy.url })
  try {
    await use(createChain(network, { sleep: async () => undefined }), proxy)
  } finally {
    await proxy.stop()
  }
}

describe.each(clients)('RPC errors worded as by %s', (client) => {
  it('reports the reason of a call that would fail, after a single request', async () => {
    await through(client, async (chain, proxy) => {
      const failing = chain.estimateGas({ from: owner, to: odd, data: '0x', value: 0n })
      await expect(failing).rejects.toMatchObject({ code: 'reverted', facts: { reason: 'too late' } })
      expect(proxy.methods.filter((method) => method === 'eth_estimateGas')).toHaveLength(1)
    })
  })

  it('decodes a custom error of a token with its arguments', async () => {
    await through(client, async (chain) => {
      const args = [spender, 10n ** 30n] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
      const failing = chain.estimateGas({ from: owner, to: localnet.tokens.USDC, data, value: 0n })
      await expect(failing).rejects.toMatchObject({
        code: 'reverted',
        facts: { error: 'ERC20InsufficientBalance', needed: String(10n ** 30n) },
      })
    })
  })

  it('reports a call that would fail when it cannot simulate', async () => {
    await through(client, async (chain) => {
      const calls = [{ to: odd, data: '0x', value: 0n } as const]
      expect((await chain.simulate(owner, calls)).simulation).toEqual({
        status: 'reverts',
        reason: 'too late',
        facts: {},
      })
    })
  })

  it('detects that the old allowance of a USDT-like token must be reset', async () => {
    await through(client, async (chain) => {
      const { USDT, DAI } = localnet.tokens
      expect(await chain.needsReset(owner, USDT, spender, 5n)).toBe(true)
      expect(await chain.needsReset(owner, DAI, spender, 5n)).toBe(false)
      const approve = chain.estimateGas({ from: owner, to: USDT, data: approvalData(spender, 5n), value: 0n })
      await expect(approve).rejects.toMatchObject({ code: 'reverted' })
    })
  })
})
