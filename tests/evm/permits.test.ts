import {
  concat,
  domainSeparator,
  getContractAddress,
  type Hex,
  hashStruct,
  hashTypedData,
  keccak256,
  maxUint160,
  maxUint256,
  toHex,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Artifact, readArtifact } from '../../contracts/artifact.ts'
import { deployer } from '../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { serving } from '../helpers/node/answerChainId.ts'
import { returning } from '../helpers/node/code.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { keepChain } from '../helpers/node/revertChain.ts'
import { eip2612Types } from '../helpers/samples/permitTypes.ts'
import { compileFile } from './contracts/compiled.ts'

let localnet: Localnet
let network: Network
let chain: Chain
let owner: Address
let artifacts: Record<'Claimant' | 'Renamed', Artifact>

const spender: Address = `0x${'5b'.repeat(20)}`
const odd: Address = `0x${'0d'.repeat(20)}`

const eip2612 = keccak256(
  toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)

beforeAll(async () => {
  localnet = await createLocalnet()
  owner = localnet.accounts[0]!.address.toLowerCase() as Address
  network = localNetwork(localnet)
  artifacts = await compileFile('Claims.sol', ['Claimant', 'Renamed'])
})
afterAll(() => localnet?.stop())
keepChain(() => localnet)
beforeEach(() => {
  chain = createChain(network)
})

describe('permit', () => {
  it('recognises EIP-2612 tokens, each with its own version', async () => {
    for (const [token, name, version] of [
      [localnet.tokens.USDC, 'USD Coin', '2'],
      [localnet.tokens.DTT, 'Deflating Test Token', '1'],
      [await deploy(readArtifact('PermitToken'), ['Any', 'ANY', 6, 'v 1.5']), 'Any', 'v 1.5'],
    ] as const) {
      expect(await chain.permit(token, owner)).toEqual({
        style: 'eip2612',
        separator: separator({ name, version, token }),
        nonce: 0n,
      })
    }
  })

  it('returns the number of used permits as the nonce', async () => {
    const { USDC: token } = localnet.tokens
    const deadline = 2n ** 40n
    const account = privateKeyToAccount(localnet.accounts[0]!.privateKey)
    const signature = await account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: localnet.chainId, verifyingContract: token },
      types: eip2612Types,
      primaryType: 'Permit',
      message: { owner, spender, value: 5n, nonce: 0n, deadline },
    })
    const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, `0x${signature.slice(130)}`]
    await write(readArtifact('PermitToken'), token, 'permit', [owner, spender, 5n, deadline, Number(v), r, s])
    expect(await chain.permit(token, owner)).toMatchObject({ nonce: 1n })
    expect(await chain.allowances(owner, [token], [spender])).toEqual([{ token, spender, amount: 5n }])
  })

  it('returns the domain separator that a signature commits to', async () => {
    const { USDC: verifyingContract } = localnet.tokens
    const domain = { name: 'USD Coin', version: '2', chainId: localnet.chainId, verifyingContract }
    const message = { owner, spender, value: 5n, nonce: 0n, deadline: 9n }
    const typed = { domain, types: eip2612Types, primaryType: 'Permit', message } as const
    const facts = await chain.permit(verifyingContract, owner)
    const struct = hashStruct({ data: message, primaryType: 'Permit', types: eip2612Types })
    expect(keccak256(concat(['0x1901', facts!.separator, struct]))).toBe(hashTypedData(typed))
  })

  it('recognises the permit of DAI', async () => {
    const another = await deploy(readArtifact('DaiLikeToken'), ['Dai Stablecoin', 'DAI'])
    for (const token of [localnet.tokens.DAI, another]) {
      expect(await chain.permit(token, owner)).toEqual({
        style: 'dai',
        separator: separator({ name: 'Dai Stablecoin', version: '1', token }),
        nonce: 0n,
      })
    }
  })

  it('infers the version 1, 2 or none of a token that does not report it', async () => {
    for (const version of ['1', '2', undefined]) {
      const token = await claim({ version })
      expect(await chain.permit(token, owner), `${version}`).toMatchObject({ style: 'eip2612' })
    }
    expect(await chain.permit(await claim({ version: '3' }), owner)).toBeUndefined()
  })

  it('uses name and version from EIP-5267 where available', async () => {
    const token = await deploy(artifacts.Renamed, [])
    expect(await chain.permit(token, owner)).toEqual({
      style: 'eip2612',
      separator: separator({ name: 'Old name', version: '7', token }),
      nonce: 0n,
    })
  })

  it('rejects a domain separator that does not belong to the token', async () => {
    expect(await chain.permit(await claim({ name: 'Another' }), owner)).toBeUndefined()
    expect(await chain.permit(await claim({ chainId: 1 }), owner)).toBeUndefined()
    expect(await chain.permit(await claim({ token: localnet.tokens.USDC }), owner)).toBeUndefined()
    expect(await chain.permit(await deploy(artifacts.Claimant, ['Odd', zeroHash, eip2612]), owner)).toBe(
      undefined,
    )
    const elsewhere = createChain({ ...network, chainId: 1 }, { fetch: serving(1) })
    expect(await elsewhere.permit(localnet.tokens.USDC, owner)).toBeUndefined()
  })

  it('rejects an unknown permit type', async () => {
    expect(await chain.permit(await claim({ permitType: keccak256('0x01') }), owner)).toBeUndefined()
  })

  it('returns undefined for tokens without permit and for addresses that are not tokens', async () => {
    const { WETH, LINK, USDT } = localnet.tokens
    for (const token of [WETH, LINK, USDT, spender]) expect(await chain.permit(token, owner)).toBeUndefined()
    for (const bytecode of [returning(zeroHash), returning('0x'), '0xfe'] as Hex[]) {
      await localnet.client.setCode({ address: odd, bytecode })
      expect(await chain.permit(odd, owner)).toBeUndefined()
    }
  })
})

describe('permit2', () => {
  const abi = [
    {
      type: 'function',
      name: 'approve',
      stateMutability: 'nonpayable',
      inputs: [
        { name: 'token', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
      ],
      outputs: [],
    },
  ] as const

  it('reads the token allowance of Permit2 and the Permit2 allowance of the spender', async () => {
    const { permit2 } = localnet.contracts
    const { DAI } = localnet.tokens
    const domain = { name: 'Permit2', chainId: localnet.chainId, verifyingContract: permit2 }
    const nothing = {
      permit2,
      separator: domainSeparator({ domain }),
      allowance: 0n,
      amount: 0n,
      expiration: 0n,
      nonce: 0n,
    }
    expect(await chain.permit2(DAI, owner, spender)).toEqual(nothing)

    await localnet.client.impersonateAccount({ address: owner })
    await send({ to: DAI, data: approvalData(permit2, maxUint256) })
    await write({ abi } as unknown as Artifact, permit2, 'approve', [DAI, spender, maxUint160, 4_000_000_000])
    expect(await chain.permit2(DAI, owner, spender)).toEqual({
      ...nothing,
      allowance: maxUint256,
      amount: maxUint160,
      expiration: 4_000_000_000n,
    })
    expect(await chain.permit2(DAI, owner, odd)).toEqual({ ...nothing, allowance: maxUint256 })
  })

  it('returns undefined on a chain without Permit2 or with other code at its address', async () => {
    const { permit2 } = localnet.contracts
    const { DAI } = localnet.tokens
    const before = await localnet.client.snapshot()
    for (const bytecode of ['0x', returning(zeroHash)] as Hex[]) {
      await localnet.client.setCode({ address: permit2, bytecode })
      expect(await chain.permit2(DAI, owner, spender)).toBeUndefined()
    }
    await localnet.client.revert({ id: before })
    expect(await chain.permit2(odd, owner, spender)).toBeUndefined()
    // Wrong chain id.
    expect(
      await createChain({ ...network, chainId: 1 }, { fetch: serving(1) }).permit2(DAI, owner, spender),
    ).toBeUndefined()
  })
})

type Domain = { name: string; version?: string | undefined; chainId?: number; token: Address }

function separator({ name, version, chainId = localnet.chainId, token }: Domain): Hex {
  const domain = { name, chainId, verifyingContract: token, ...(version !== undefined && { version }) }
  return domainSeparator({ domain })
}

async function claim({ permitType = eip2612, ...domain }: Partial<Domain> & { permitType?: Hex }) {
  // The separator contains the address.
  const nonce = BigInt(await localnet.client.getTransactionCount({ address: deployer }))
  const token = getContractAddress({ from: deployer, nonce }).toLowerCase() as Address
  const said = separator({ name: 'Odd', version: '1', token, ...domain })
  expect(await deploy(artifacts.Claimant, ['Odd', said, permitType])).toBe(token)
  return token
}

async function deploy({ abi, bytecode }: Artifact, args: unknown[]): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  const { contractAddress } = await localnet.client.receiptOf(hash)
  return contractAddress?.toLowerCase() as Address
}

async function write({ abi }: Artifact, address: Address, functionName: string, args: unknown[]) {
  await localnet.client.impersonateAccount({ address: owner })
  const hash = await localnet.client.writeContract({
    account: owner,
    abi,
    address,
    functionName,
    args,
  } as never)
  expect(await localnet.client.receiptOf(hash)).toMatchObject({ status: 'success' })
}

async function send(call: { to: Address; data: Hex }) {
  const hash = await localnet.client.sendTransaction({ account: owner, ...call } as never)
  await localnet.client.receiptOf(hash)
}
