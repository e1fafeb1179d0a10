import { encodeAbiParameters, type Hex, maxUint256, parseAbiParameters, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { daiPermitTypes, eip2612Types } from '../samples/permitTypes.ts'

const permitWords = parseAbiParameters('address, address, uint256, uint256, uint8, bytes32, bytes32')
const daiWords = parseAbiParameters('address, address, uint256, uint256, bool, uint8, bytes32, bytes32')
const permit2Words = parseAbiParameters([
  'address owner, PermitSingle single, bytes signature',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
])

/** `spender` is the router where none is given. */
type PermitTerms = { value: bigint; nonce?: number; spender?: Address }

/** Signs permits of an account, as the service takes them: without selector. */
export function createPermits(
  { chainId, config: { router, permit2 }, tokens: { USDC, DAI } }: Localnet,
  key: Hex,
) {
  const signer = privateKeyToAccount(key)
  const owner = signer.address
  return {
    /** EIP-2612, of USDC. */
    async usdc({ value, nonce = 0, spender = router }: PermitTerms): Promise<Hex> {
      const message = { owner, spender, value, nonce: BigInt(nonce), deadline: maxUint256 }
      const signature = await signer.signTypedData({
        domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: USDC },
        types: eip2612Types,
        primaryType: 'Permit',
        message,
      })
      const { r, s, v } = parseSignature(signature)
      return encodeAbiParameters(permitWords, [owner, spender, value, maxUint256, Number(v), r, s])
    },

    async dai({ nonce = 0 }: Pick<PermitTerms, 'nonce'> = {}): Promise<Hex> {
      const message = { holder: owner, spender: router, nonce: BigInt(nonce), expiry: 0n, allowed: true }
      const signature = await signer.signTypedData({
        domain: { name: 'Dai Stablecoin', version: '1', chainId, verifyingContract: DAI },
        types: daiPermitTypes,
        primaryType: 'Permit',
        message,
      })
      const { r, s, v } = parseSignature(signature)
      return encodeAbiParameters(daiWords, [owner, router, BigInt(nonce), 0n, true, Number(v), r, s])
    },

    /** Permit2's PermitSingle, of USDC. */
    async permit2({ value, nonce = 0, spender = router }: PermitTerms): Promise<Hex> {
      const details = { token: USDC, amount: value, expiration: 2 ** 48 - 1, nonce }
      const message = { details, spender, sigDeadline: maxUint256 }
      const signature = await signer.signTypedData({
        domain: { name: 'Permit2', chainId, verifyingContract: permit2 },
        types: {
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
        },
        primaryType: 'PermitSingle',
        message,
      })
      return encodeAbiParameters(permit2Words, [owner, message, signature])
    },
  }
}
