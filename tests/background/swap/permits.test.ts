import { domainSeparator, encodeAbiParameters, parseAbiParameters, slice, toFunctionSelector } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { permitCall, signPermit } from '../../../src/background/swap/permits.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { daiPermitTypes, eip2612Types } from '../../helpers/samples/permitTypes.ts'

const privateKey = generatePrivateKey()
const signer = privateKeyToAccount(privateKey)
const owner = signer.address.toLowerCase() as Address
const token: Address = `0x${'70'.repeat(20)}`
const spender: Address = `0x${'59'.repeat(20)}`
const permit2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const ask = { token, owner, spender, amount: 1_234_567n, deadline: 1_900_000_000n }
const domain = { name: 'Some token', version: '2', chainId: 31337, verifyingContract: token } as const
const separator = domainSeparator({ domain })

const parts = (signature: Hex) =>
  [Number(slice(signature, 64)), slice(signature, 0, 32), slice(signature, 32, 64)] as const

// viem's EIP-712 shares no code with ours.
describe('signPermit', () => {
  it('signs an EIP-2612 permit for exactly the amount', async () => {
    const message = { owner, spender, value: ask.amount, nonce: 7n, deadline: ask.deadline }
    const signature = await signer.signTypedData({
      domain,
      types: eip2612Types,
      primaryType: 'Permit',
      message,
    })
    const words = encodeAbiParameters(
      parseAbiParameters('address, address, uint256, uint256, uint8, bytes32, bytes32'),
      [owner, spender, ask.amount, ask.deadline, ...parts(signature)],
    )
    expect(await signPermit(privateKey, { style: 'eip2612', separator, nonce: 7n }, ask)).toBe(words)
  })

  it('signs a DAI permit, which is unlimited', async () => {
    const message = { holder: owner, spender, nonce: 7n, expiry: ask.deadline, allowed: true }
    const signature = await signer.signTypedData({
      domain,
      types: daiPermitTypes,
      primaryType: 'Permit',
      message,
    })
    const words = encodeAbiParameters(
      parseAbiParameters('address, address, uint256, uint256, bool, uint8, bytes32, bytes32'),
      [owner, spender, 7n, ask.deadline, true, ...parts(signature)],
    )
    expect(await signPermit(privateKey, { style: 'dai', separator, nonce: 7n }, ask)).toBe(words)
  })

  it('signs a Permit2 permit for one token that expires with the signature', async () => {
    const domain = { name: 'Permit2', chainId: 31337, verifyingContract: permit2 } as const
    const details = { token, amount: ask.amount, expiration: Number(ask.deadline), nonce: 7 }
    const message = { details, spender, sigDeadline: ask.deadline }
    const types = {
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
    } as const
    const signature = await signer.signTypedData({ domain, types, primaryType: 'PermitSingle', message })
    const words = encodeAbiParameters(
      parseAbiParameters([
        'address owner, PermitSingle single, bytes signature',
        'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
        'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
      ]),
      [owner, message, signature],
    )
    const allowed = { allowance: 0n, amount: 0n, expiration: 0n }
    const facts = { permit2, separator: domainSeparator({ domain }), nonce: 7n, ...allowed }
    const signed = await signPermit(privateKey, facts, ask)
    expect(signed).toBe(words)
    expect((signed.length - 2) / 64).toBe(12)
  })
})

describe('permitCall', () => {
  const permit: Hex = `0x${'ab'.repeat(64)}`
  const facts = { separator, nonce: 0n }

  it('encodes the permit function of the token’s style', () => {
    const call = (style: 'eip2612' | 'dai') => permitCall({ ...facts, style }, token, permit)
    const selectors = {
      eip2612: toFunctionSelector('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'),
      dai: toFunctionSelector('permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'),
    }
    for (const style of ['eip2612', 'dai'] as const)
      expect(call(style)).toEqual({
        to: token,
        data: `${selectors[style]}${permit.slice(2)}`,
        value: 0n,
      })
  })

  it('encodes a Permit2 permit as a call to Permit2', () => {
    const selector = toFunctionSelector(
      'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)',
    )
    const allowed = { permit2, allowance: 0n, amount: 0n, expiration: 0n }
    expect(permitCall({ ...facts, ...allowed }, token, permit)).toEqual({
      to: permit2,
      data: `${selector}${permit.slice(2)}`,
      value: 0n,
    })
  })
})
