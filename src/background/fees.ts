import { WalletError } from '../errors.ts'

/** What an approval needs at most, for one that cannot be estimated because an earlier step has to be mined first. */
export const approvalGas = 100_000n

/** More than any route of the service takes; a higher demand is a trap (docs/security.md, threat 48). */
const mostGas = 5_000_000n

/**
 * The gas to allow: a fifth more than the highest estimate, since a transaction meets another state than the one it was tried on.
 * Throws `unsafe-transaction` for a demand that no swap has.
 */
export function gasLimit(...estimates: [bigint, ...bigint[]]): bigint {
  let [highest] = estimates
  for (const estimate of estimates) if (estimate > highest) highest = estimate
  const limit = (highest * 6n) / 5n
  if (limit <= mostGas) return limit
  throw new WalletError('unsafe-transaction', 'The transaction asks for more gas than any swap needs.', {
    expected: mostGas.toString(),
    found: limit.toString(),
  })
}

/**
 * What all steps of a swap may cost, in wei, when `networkFee` was shown: half as much again. Between the review and the last
 * signature an approval has to be mined, and the base fee may rise an eighth with each block (EIP-1559): three full blocks.
 */
export function feeCap(networkFee: bigint): bigint {
  return (networkFee * 3n) / 2n
}
