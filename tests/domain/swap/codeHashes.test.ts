import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAnvil } from '../../../dev/chain/anvil.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { isBindingRouter, ownRouter } from '../../../src/domain/swap/routers.ts'
import { weth9CodeHashes } from '../../../src/domain/swap/wrap.ts'
import { readRouterCode, routerChainIds } from '../../helpers/routerCode.ts'

const v6 = '0x111111125421ca6dc452d289314280a0f8842a65'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let localnet: Localnet

beforeAll(async () => {
  ;[anvil, localnet] = await Promise.all([startAnvil({ chainId: 1, port: 0 }), createLocalnet()])
})
afterAll(async () => {
  await anvil?.stop()
  await localnet?.stop()
})

describe('code of the wallet’s own router', () => {
  it.each(routerChainIds)('matches the compiled contract on chain %i', async (chainId) => {
    const { address, codeHash } = ownRouter(chainId)!
    expect(codeHash).toBe(keccak256(await readRouterCode(anvil.rpcUrl, chainId)))
    expect(isBindingRouter(address, chainId, codeHash)).toBe(true)
  })

  it('matches the deployed router on localnet', async () => {
    const { address, codeHash } = ownRouter(31337)!
    expect(keccak256((await localnet.client.getCode({ address }))!)).toBe(codeHash)
  })

  it('is binding only at its own address on its own chain', () => {
    for (const chainId of routerChainIds) {
      const { address, codeHash } = ownRouter(chainId)!
      expect(isBindingRouter(address, chainId, undefined)).toBe(false)
      expect(isBindingRouter(v6, chainId, codeHash)).toBe(false)
      for (const other of [5, ...routerChainIds.filter((one) => one !== chainId)]) {
        // Chains with the same WETH and contracts have the same router.
        const isSame = ownRouter(other)?.address === address
        expect(isBindingRouter(address, other, codeHash)).toBe(isSame)
        expect(isBindingRouter(address, chainId, ownRouter(other)?.codeHash)).toBe(isSame)
      }
    }
  })
})

describe('code of WETH9', () => {
  it('matches a known hash on localnet', async () => {
    const code = await localnet.client.getCode({ address: localnet.tokens.WETH })
    expect(weth9CodeHashes).toContain(keccak256(code!))
  })
})
