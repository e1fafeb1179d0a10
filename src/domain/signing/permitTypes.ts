import type { Hex } from '../token/token.ts'

/**
 * keccak256 of Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline), EIP-2612.
 */
export const eip2612Type: Hex = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'

/**
 * keccak256 of Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed), DAI: all or
 * nothing.
 */
export const daiType: Hex = '0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb'
