import {
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  maxUint256,
  parseAbi,
  parseEther,
  parseSignature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { eip2612Types } from '../../helpers/samples/permitTypes.ts'

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function transferFrom(address from, address to, uint256 value)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function nonces(address owner) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error NotMinter(address caller)',
  'error PermitExpired(uint256 deadline)',
  'error PermitNotFromOwner(address signer, address owner)',
])

let localnet: Localnet
let alice: Address
let bob: Address
beforeAll(async () => {
  localnet = await createLocalnet()
  alice = localnet.accounts[0]!.address
  bob = localnet.accounts[1]!.address
})
afterAll(() => localnet.stop())

let snapshot: Hex
beforeEach(async () => {
  snapshot = await localnet.client.snapshot()
})
afterEach(() => localnet.client.revert({ id: snapshot }))

describe.each(['DAI', 'USDC', 'USDT', 'WBTC'] as const)('%s', (symbol) => {
  it('transfers up to the balance and rejects more', async () => {
    const had = await balance(symbol, bob)
    const all = await balance(symbol, alice)
    await write(symbol, alice, 'transfer', [bob, all])
    expect(await balance(symbol, alice)).toBe(0n)
    expect(await balance(symbol, bob)).toBe(had + all)
    await expect(write(symbol, alice, 'transfer', [bob, 1n])).rejects.toThrow()
  })

  it('lets a spender transfer up to the allowance', async () => {
    await write(symbol, alice, 'approve', [bob, 10n])
    await write(symbol, bob, 'transferFrom', [alice, bob, 7n])
    expect(await allowance(symbol)).toBe(3n)
    await expect(write(symbol, bob, 'transferFrom', [alice, bob, 4n])).rejects.toThrow()
  })

  it('keeps an unlimited allowance unchanged', async () => {
    await write(symbol, alice, 'approve', [bob, maxUint256])
    await write(symbol, bob, 'transferFrom', [alice, bob, 7n])
    expect(await allowance(symbol)).toBe(maxUint256)
  })

  it('allows only the deployer to mint', async () => {
    const supply = await read(symbol, 'totalSupply', [])
    await write(symbol, deployer, 'mint', [bob, 5n])
    expect(await read(symbol, 'totalSupply', [])).toBe(supply + 5n)
    await expect(write(symbol, alice, 'mint', [alice, 5n])).rejects.toThrow()
  })
})

describe('DAI', () => {
  it('reverts with named errors', async () => {
    const all = await balance('DAI', alice)
    await expect(write('DAI', alice, 'transfer', [bob, all + 1n])).rejects.toThrow(
      `ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)`,
    )
    await expect(write('DAI', bob, 'transferFrom', [alice, bob, 1n])).rejects.toThrow(
      'ERC20InsufficientAllowance',
    )
    await expect(write('DAI', alice, 'mint', [alice, 1n])).rejects.toThrow('NotMinter')
  })
})

describe('USDT', () => {
  it('returns nothing where DAI returns true', async () => {
    for (const data of [
      encodeFunctionData({ abi, functionName: 'transfer', args: [bob, 1n] }),
      encodeFunctionData({ abi, functionName: 'approve', args: [bob, 1n] }),
      encodeFunctionData({ abi, functionName: 'transferFrom', args: [alice, bob, 0n] }),
    ]) {
      const usdt = await localnet.client.call({ account: alice, to: localnet.tokens.USDT, data })
      const dai = await localnet.client.call({ account: alice, to: localnet.tokens.DAI, data })
      expect(usdt.data).toBeUndefined()
      expect(hexToBigInt(dai.data!)).toBe(1n)
    }
  })

  it('accepts a new allowance only after a reset to zero', async () => {
    await write('USDT', alice, 'approve', [bob, 10n])
    await expect(write('USDT', alice, 'approve', [bob, 20n])).rejects.toThrow()
    await write('USDT', alice, 'approve', [bob, 0n])
    await write('USDT', alice, 'approve', [bob, 20n])
    expect(await allowance('USDT')).toBe(20n)
  })
})

describe('DTT', () => {
  it('burns 1 % of each transfer', async () => {
    const had = await balance('DTT', bob)
    const supply = await read('DTT', 'totalSupply', [])
    await write('DTT', alice, 'transfer', [bob, parseEther('100')])
    expect(await balance('DTT', bob)).toBe(had + parseEther('99'))
    expect(await read('DTT', 'totalSupply', [])).toBe(supply - parseEther('1'))
  })
})

describe.each(['USDC', 'DTT'] as const)('permit of %s', (symbol) => {
  it('accepts the owner’s signature for the listed domain version once', async () => {
    const args = await permit(symbol, 100n, maxUint256)
    await write(symbol, bob, 'permit', args)
    expect(await allowance(symbol)).toBe(100n)
    expect(await read(symbol, 'nonces', [alice])).toBe(1n)
    await expect(write(symbol, bob, 'permit', args)).rejects.toThrow()
  })

  it('rejects an amount other than the signed one', async () => {
    const [owner, spender, , ...rest] = await permit(symbol, 100n, maxUint256)
    await expect(write(symbol, bob, 'permit', [owner, spender, 101n, ...rest])).rejects.toThrow()
  })

  it('rejects an expired permit', async () => {
    await expect(write(symbol, bob, 'permit', await permit(symbol, 100n, 1n))).rejects.toThrow(/expired/i)
  })

  async function permit(token: Symbol, value: bigint, deadline: bigint) {
    const { name, domainVersion, address } = localnet.config.tokens.find((listed) => listed.symbol === token)!
    const signature = await privateKeyToAccount(localnet.accounts[0]!.privateKey).signTypedData({
      domain: { name, version: domainVersion!, chainId: localnet.chainId, verifyingContract: address },
      types: eip2612Types,
      primaryType: 'Permit',
      message: { owner: alice, spender: bob, value, nonce: await read(token, 'nonces', [alice]), deadline },
    })
    const { r, s, yParity } = parseSignature(signature)
    return [alice, bob, value, deadline, 27 + yParity, r, s] as const
  }
})

type Symbol = keyof Localnet['tokens']

/** Simulates first, so that a revert carries its reason. */
async function write(symbol: Symbol, from: Address, functionName: string, args: readonly unknown[]) {
  const call = { address: localnet.tokens[symbol], abi, functionName, args } as never
  const { request } = await localnet.client.simulateContract(Object.assign({ account: from }, call))
  await localnet.client.writeContractSync(request)
}

async function read(symbol: Symbol, functionName: string, args: readonly unknown[]): Promise<bigint> {
  const call = { address: localnet.tokens[symbol], abi, functionName, args } as never
  return (await localnet.client.readContract(call)) as bigint
}

function balance(symbol: Symbol, owner: Address): Promise<bigint> {
  return read(symbol, 'balanceOf', [owner])
}

function allowance(symbol: Symbol): Promise<bigint> {
  return read(symbol, 'allowance', [alice, bob])
}
