import { encodeAbiParameters, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { failure } from '../helpers/failure.ts'
import { serving } from '../helpers/node/answerChainId.ts'
import { oldToken, returning, revertingWith } from '../helpers/node/code.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { keepChain } from '../helpers/node/revertChain.ts'
import { createSender } from '../helpers/node/sender.ts'
import { slow } from '../helpers/slow.ts'
import { compileFile } from './contracts/compiled.ts'

slow('A chain runs.')

let localnet: Localnet
let network: Network
let chain: Chain

beforeAll(async () => {
  localnet = await createLocalnet()
  network = localNetwork(localnet)
  chain = createChain(network)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const nobody: Address = `0x${'ab'.repeat(20)}`
const spender: Address = `0x${'5b'.repeat(20)}`
const odd: Address = `0x${'0d'.repeat(20)}`

const { prepare, sendSigned } = createSender(
  () => localnet,
  () => chain,
)

describe('verify', () => {
  it('accepts the configured chain and rejects any other', async () => {
    await chain.verify()
    const error = await failure(createChain({ ...network, chainId: 1 }).verify())
    expect(error).toMatchObject({ code: 'wrong-chain', facts: { expected: '1', found: '31337' } })
  })
})

describe('blockNumber', () => {
  it('increases with each block', async () => {
    const before = await chain.blockNumber()
    await localnet.client.mine({ blocks: 3 })
    expect(await chain.blockNumber()).toBe(before + 3n)
  })
})

describe('balances', () => {
  it('reads the native balance and many token balances in one request', async () => {
    const { USDC, DAI } = localnet.tokens
    let requests = 0
    const counting = createChain(network, {
      fetch: serving(network.chainId, (...args) => {
        requests++
        return fetch(...args)
      }),
    })
    await localnet.fund(nobody)
    expect(await counting.balances(nobody, [nativeTokenAddress, USDC, DAI])).toEqual({
      [nativeTokenAddress]: parseEther('10'),
      [USDC]: 25_000_000_000n,
      [DAI]: parseEther('25000'),
    })
    // Includes reading Multicall3's code.
    expect(requests).toBe(2)
    await counting.balances(nobody, [nativeTokenAddress, USDC, DAI])
    expect(requests).toBe(3)
    expect(await counting.balances(nobody, [])).toEqual({})
  })

  it('omits addresses that revert or are not tokens, and keeps the others', async () => {
    const { USDC } = localnet.tokens
    await localnet.client.setCode({ address: odd, bytecode: revertingWith('0x') })
    const balances = await chain.balances(spender, [spender, odd, localnet.contracts.v2Factory, USDC])
    expect(balances).toEqual({ [USDC]: 0n })
  })

  it('reads the other balances when contracts burn all their gas', async () => {
    const { USDC, DAI } = localnet.tokens
    const burners = ['01', '02', '03', '04'].map((byte): Address => `0x${byte.repeat(20)}`)
    for (const address of burners) await localnet.client.setCode({ address, bytecode: '0xfe' })
    const balances = await chain.balances(spender, [
      ...burners.slice(0, 2),
      USDC,
      burners[3]!,
      DAI,
      nativeTokenAddress,
    ])
    expect(balances).toEqual({ [USDC]: 0n, [DAI]: 0n, [nativeTokenAddress]: 0n })
  })

  it('reads balances on a network without Multicall3', async () => {
    const { multicall } = localnet.contracts
    const code = await localnet.client.getCode({ address: multicall })
    await localnet.client.setCode({ address: multicall, bytecode: '0x' })
    const found = await chain.balances(spender, [nativeTokenAddress, localnet.tokens.USDC, odd])
    await localnet.client.setCode({ address: multicall, bytecode: code! })
    expect(found).toEqual({ [nativeTokenAddress]: 0n, [localnet.tokens.USDC]: 0n })
  })
})

describe('position', () => {
  it('reads balance, allowance and native balance', async () => {
    const { address, privateKey } = localnet.accounts[0]!
    const { DAI } = localnet.tokens
    await sendSigned(privateKey, await prepare(address, { to: DAI, data: approvalData(spender, 77n) }))
    const position = await chain.position(address, DAI, spender)
    expect(position).toEqual({
      balance: parseEther('25000'),
      allowance: 77n,
      native: await localnet.client.getBalance({ address }),
    })
  })

  it('reports an unlimited allowance for the native token', async () => {
    const coin = await localnet.client.getBalance({ address: nobody })
    expect(await chain.position(nobody, nativeTokenAddress, spender)).toEqual({
      balance: coin,
      allowance: 2n ** 256n - 1n,
      native: coin,
    })
  })

  it('rejects an address that is not a token', async () => {
    expect(await failure(chain.position(nobody, spender, spender))).toMatchObject({ code: 'unknown-token' })
  })
})

describe('token', () => {
  it('reads symbol, name and decimals from the contract', async () => {
    expect(await chain.token(localnet.tokens.WBTC)).toEqual({
      address: localnet.tokens.WBTC,
      symbol: 'WBTC',
      name: 'Wrapped Bitcoin',
      decimals: 8,
      listed: false,
      eip2612: false,
      taxed: false,
      tags: [],
    })
  })

  it('returns the native token of the network', async () => {
    expect(await chain.token(nativeTokenAddress)).toMatchObject({
      symbol: 'ETH',
      name: 'Ether',
      decimals: 18,
    })
  })

  it('reads bytes32 symbols and names', async () => {
    await localnet.client.setCode({ address: odd, bytecode: oldToken('MKR') })
    expect(await chain.token(odd)).toMatchObject({ symbol: 'MKR', name: 'MKR', decimals: 18 })
  })

  it('removes control, format and invisible characters from a symbol', async () => {
    await localnet.client.setCode({ address: odd, bytecode: oldToken('\u202eU\u200bS\u0007D') })
    expect(await chain.token(odd)).toMatchObject({ symbol: 'USD' })
  })

  it('uses the short address when the symbol claims a length beyond memory', async () => {
    const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
    const bytecode = returning(`${word(32n)}${word(2n ** 255n).slice(2)}` as Hex)
    await localnet.client.setCode({ address: odd, bytecode })
    expect(await chain.token(odd)).toMatchObject({ symbol: '0x0d0d…0d0d', name: '' })
  })

  it('accepts a token without decimals, symbol or name, with 0 decimals and its short address', async () => {
    const { Bare } = await compileFile('Labels.sol', ['Bare'])
    const bare = await deploy(Bare, [nobody])
    expect(await chain.token(bare)).toEqual({
      address: bare,
      symbol: `${bare.slice(0, 6)}…${bare.slice(-4)}`,
      name: '',
      decimals: 0,
      listed: false,
      eip2612: false,
      taxed: false,
      tags: ['no-decimals'],
    })
    expect(await chain.position(nobody, bare, spender)).toMatchObject({ balance: 1_000n, allowance: 0n })
  })

  it('rejects NFT collections and price feeds', async () => {
    const contracts = await compileFile('Labels.sol', ['Collectible', 'Feed'])
    for (const contract of Object.values(contracts)) {
      const address = await deploy(contract)
      expect(await failure(chain.token(address))).toMatchObject({ code: 'unknown-token' })
    }
  })

  it('reads strings at their ABI offset', async () => {
    const { FarLabels } = await compileFile('Labels.sol', ['FarLabels'])
    const address = await deploy(FarLabels)
    expect(await chain.token(address)).toMatchObject({ symbol: 'FAR', name: 'Far away', decimals: 9 })
  })

  it('rejects contracts that are not tokens, accounts and malformed responses', async () => {
    const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
    const codes: Hex[] = [
      returning(word(2n ** 256n - 1n)),
      returning('0x'),
      returning('0x01'),
      revertingWith('0x'),
      '0xfe',
    ]
    for (const bytecode of codes) {
      await localnet.client.setCode({ address: odd, bytecode })
      const error = await failure(chain.token(odd))
      expect(error, bytecode).toMatchObject({ code: 'unknown-token', facts: { token: odd } })
      expect(error.message).toContain(odd)
    }
    expect(await failure(chain.token(spender))).toMatchObject({ code: 'unknown-token' })
    expect(await failure(chain.token(localnet.contracts.router))).toMatchObject({ code: 'unknown-token' })
  })
})

describe('fees', () => {
  it('sets a maximum fee that covers a doubled base fee', async () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
    const { baseFeePerGas } = await localnet.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] })
    expect(maxFeePerGas).toBe(baseFeePerGas.at(-1)! * 2n + maxPriorityFeePerGas)
    expect(maxPriorityFeePerGas).toBeGreaterThan(0n)
  })

  it('follows the priority fees of recent blocks', async () => {
    const { address, privateKey } = localnet.accounts[9]!
    for (const tip of [3n, 5n, 900n]) {
      for (let block = 0; block < 4; block++) {
        const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: tip * 1_000_000n }
        await sendSigned(privateKey, { ...(await prepare(address, { to: nobody })), ...fees })
      }
    }
    // Of the last ten blocks two paid 3, four 5 and four 900.
    for (const speed of ['slow', 'normal', 'fast'] as const) {
      expect(await chain.fees(speed)).toMatchObject({ maxPriorityFeePerGas: 5_000_000n })
    }
    const custom = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    expect(await chain.fees(custom)).toEqual(custom)
  })

  it('uses the node’s suggested priority fee after empty blocks', async () => {
    await localnet.client.mine({ blocks: 10 })
    const { maxPriorityFeePerGas } = await chain.fees()
    expect(maxPriorityFeePerGas).toBe(await localnet.client.estimateMaxPriorityFeePerGas())
  })
})

describe('allowances', () => {
  it('returns all non-zero allowances, in requests of 400', async () => {
    const { address, privateKey } = localnet.accounts[2]!
    const { DAI, LINK, USDC } = localnet.tokens
    for (const [token, amount] of [
      [DAI, 11n],
      [LINK, 2n ** 256n - 1n],
    ] as const) {
      await sendSigned(privateKey, await prepare(address, { to: token, data: approvalData(spender, amount) }))
    }
    let requests = 0
    const counting = createChain(network, {
      fetch: serving(network.chainId, (...args) => {
        requests++
        return fetch(...args)
      }),
    })
    const others = Array.from({ length: 199 }, (_, index): Address => `0x${String(index).padStart(40, '9')}`)
    const spenders = [...others, spender]
    expect(await counting.allowances(address, [USDC, DAI, nativeTokenAddress, odd, LINK], spenders)).toEqual([
      { token: DAI, spender, amount: 11n },
      { token: LINK, spender, amount: 2n ** 256n - 1n },
    ])
    // Includes Multicall3's code.
    expect(requests).toBe(4)
    expect(await counting.allowances(address, [], spenders)).toEqual([])
    expect(requests).toBe(4)
  })
})

describe('nativeBalance', () => {
  it('returns the native balance of an account', async () => {
    const { address } = localnet.accounts[8]!
    expect(await chain.nativeBalance(address)).toBe(await localnet.client.getBalance({ address }))
    expect(await chain.nativeBalance(`0x${'c0'.repeat(20)}`)).toBe(0n)
  })
})

async function deploy({ abi, bytecode }: Artifact, args: unknown[] = []): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  const { contractAddress } = await localnet.client.receiptOf(hash)
  return contractAddress?.toLowerCase() as Address
}
