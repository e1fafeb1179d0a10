import { maxUint256, pad, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { createAllowances } from '../../../src/background/tokens/allowances.ts'
import { createGetToken } from '../../../src/background/tokens/getToken.ts'
import { revokeIntent } from '../../../src/background/tokens/revoke.ts'
import { permit2 } from '../../../src/domain/signing/permit2.ts'
import { knownRouters } from '../../../src/domain/swap/routers.ts'
import type { Swap } from '../../../src/domain/swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import type { Allowance } from '../../../src/protocol.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { startProxy } from '../../helpers/node/rpcProxy.ts'
import { local } from '../../helpers/state/fakes.ts'

const approvals = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
const pinned = pad('0xa1', { size: 20 })
const named = pad('0xb2', { size: 20 })
const used = pad('0xc3', { size: 20 })
const stranger = pad('0xd4', { size: 20 })
const soon = 4_000_000_000

let localnet: Localnet
let account: Address
beforeAll(async () => {
  localnet = await createLocalnet()
  account = localnet.accounts[0]!.address
  await localnet.client.impersonateAccount({ address: account })
  const { USDC, DAI, LINK, WBTC } = localnet.tokens
  await approve(USDC, pinned, 1n)
  await approve(USDC, named, 2n)
  await approve(DAI, knownRouters(31337)[0]!, maxUint256)
  await approve(LINK, used, 4n)
  await approve(WBTC, used, 5n)
  await approve(DAI, stranger, 6n)
})
afterAll(() => localnet?.stop())
keepChain(() => localnet)

type Said = { spender?: SwapApi['spender']; now?: number; rpcUrl?: string }

/** USDC and DAI are listed, LINK was added, WBTC was swapped. */
function opened({ spender = async () => named, now = Date.now(), rpcUrl = localnet.rpcUrl }: Said = {}) {
  const listed = (address: Address, symbol: string): Token => ({
    address,
    symbol,
    name: symbol,
    decimals: symbol === 'USDC' ? 6 : 18,
    listed: true,
    eip2612: false,
    taxed: false,
    tags: [],
  })
  const { USDC, DAI, LINK, WBTC } = localnet.tokens
  const networks = {
    network: async () => ({ ...local, rpcUrl, router: pinned }),
    chain: async () => createChain({ ...local, rpcUrl }),
    api: async () => ({ spender }) as SwapApi,
  }
  const cached = async () => [listed(nativeTokenAddress, 'ETH'), listed(USDC, 'USDC'), listed(DAI, 'DAI')]
  const assets = { list: async () => [{ ...listed(LINK, 'LINK'), listed: false }] }
  const swap = {
    intent: {
      account,
      router: used,
      trade: { chainId: 31337, sell: WBTC, buy: USDC, amount: 1n },
    },
  } as Swap
  return createAllowances({
    networks,
    cached,
    assets,
    tokenOf: createGetToken({ networks, cached, assets }),
    swaps: async () => [swap],
    now: () => now,
  })
}

async function approve(token: Address, spender: Address, amount: bigint): Promise<void> {
  const { client } = localnet
  await client.writeContractSync({
    account,
    address: token,
    abi: approvals,
    functionName: 'approve',
    args: [spender, amount],
  })
}

async function lend(token: Address, spender: Address, amount: bigint): Promise<void> {
  await localnet.client.writeContractSync({
    account,
    address: permit2,
    abi: approvals,
    functionName: 'approve',
    args: [token, spender, amount, soon],
  })
}

const shown = (all: Allowance[]) =>
  all.map(({ token, spender, amount, via }) => [token.symbol, spender, amount, via]).sort()

describe('createAllowances', () => {
  it('lists allowances of known tokens to every router that the wallet may have approved', async () => {
    expect(shown(await opened()(31337, account))).toEqual([
      ['DAI', knownRouters(31337)[0], maxUint256, undefined],
      ['LINK', used, 4n, undefined],
      ['USDC', pinned, 1n, undefined],
      ['USDC', named, 2n, undefined],
      ['WBTC', used, 5n, undefined],
    ])
    expect(await opened()(31337, localnet.accounts[1]!.address)).toEqual([])
  })

  it('lists allowances without the service', async () => {
    const allowances = opened({ spender: () => Promise.reject(new Error('No answer.')) })
    const spenders = (await allowances(31337, account)).map(({ spender }) => spender)
    expect(spenders).toContain(pinned)
    expect(spenders).not.toContain(named)
  })

  it('do not wait for a service that never answers', async () => {
    const spender = (signal?: AbortSignal) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    expect((await opened({ spender })(31337, account)).length).toBeGreaterThan(0)
  })

  it('lists the allowance of a token without a symbol', async () => {
    const { WBTC } = localnet.tokens
    const { client } = localnet
    const code = await client.getCode({ address: WBTC })
    // Removes `symbol()`.
    await client.setCode({ address: WBTC, bytecode: code!.replace('6395d89b41', '6300000000') as Hex })
    const found = (await opened()(31337, account)).find(({ token }) => token.address === WBTC)
    const all = await opened()(31337, account)
    await client.setCode({ address: WBTC, bytecode: code! })
    expect(found).toMatchObject({
      spender: used,
      amount: 5n,
      token: { symbol: `${WBTC.slice(0, 6)}…${WBTC.slice(-4)}`, decimals: 8 },
    })
    expect(all.length).toBeGreaterThan(1)
  })

  it('reads Permit2 allowances in one request for all tokens and routers', async () => {
    const { USDC, DAI } = localnet.tokens
    await approve(USDC, permit2, 1n)
    await approve(DAI, permit2, 1n)
    const proxy = await startProxy(localnet.rpcUrl, () => undefined)
    const spender = () => Promise.reject(new Error('No answer.'))
    const all = await opened({ rpcUrl: proxy.url, spender })(31337, account)
    await proxy.stop()
    await approve(USDC, permit2, 0n)
    await approve(DAI, permit2, 0n)
    expect(all.filter((one) => one.spender === permit2)).toHaveLength(2)
    // Direct, in Permit2, and the unlisted token's name.
    expect(proxy.methods.filter((method) => method === 'eth_call')).toHaveLength(3)
  })

  it('lists Permit2 and its allowances until they expire or are revoked', async () => {
    const { USDC } = localnet.tokens
    await approve(USDC, permit2, parseEther('1'))
    await lend(USDC, used, 9n)
    const ofPermit2 = async (now?: number) =>
      shown(await opened(now === undefined ? {} : { now })(31337, account)).filter(
        ([, spender, , via]) => spender === permit2 || via === 'permit2',
      )
    const direct = ['USDC', permit2, parseEther('1'), undefined]
    expect(await ofPermit2()).toEqual([['USDC', used, 9n, 'permit2'], direct])
    expect(await ofPermit2(soon * 1_000)).toEqual([direct])

    const ask = { chainId: 31337, account, token: USDC, id: 'ab'.repeat(16), feeCap: 1n }
    for (const intent of [
      revokeIntent({ ...ask, spender: used, via: 'permit2' }),
      revokeIntent({ ...ask, spender: permit2 }),
    ]) {
      const { to, data } = intent.calls[0]!
      await localnet.client.execute({ account, to: to!, data })
      expect(await ofPermit2()).toEqual(intent.calls[0]!.to === permit2 ? [direct] : [])
    }
  })
})
