import type { DecodedTokenCall } from '../calldata/decodedCall.ts'
import { type CallContext, type CallDecoder, defineDecoder, toLower } from '../calldata/decoder.ts'
import type { Address, Hex } from '../token/token.ts'

export function accountDecoders(): CallDecoder[] {
  return [...operatorReaders(), ...voteReaders()]
}

/** Rights over what a contract keeps for its users, which no balance shows. */
function operatorReaders(): CallDecoder[] {
  const acts = (contract: Address, operator: string, approved: boolean): DecodedTokenCall => ({
    kind: 'operator',
    contract,
    operator: toLower(operator),
    approved,
  })
  return [
    // Morpho Blue.
    defineDecoder('function setAuthorization(address, bool)', ([to, approved], on) =>
      acts(on.to, to, approved),
    ),
    // Debt tokens of Aave.
    defineDecoder('function approveDelegation(address, uint256)', ([to, amount], on) =>
      acts(on.to, to, amount > 0n),
    ),
    // Compound III.
    defineDecoder('function allow(address, bool)', ([to, approved], on) => acts(on.to, to, approved)),
    // ERC-6909.
    defineDecoder('function setOperator(address, bool)', ([to, approved], on) => acts(on.to, to, approved)),
    defineDecoder('function approve(address, uint256, uint256)', ([to, , amount], on) =>
      acts(on.to, to, amount > 0n),
    ),
    // ERC-777.
    defineDecoder('function authorizeOperator(address)', ([to], on) => acts(on.to, to, true)),
    defineDecoder('function revokeOperator(address)', ([to], on) => acts(on.to, to, false)),
    // Balancer's vault.
    defineDecoder('function setRelayerApproval(address, address, bool)', ([, to, approved], on) =>
      acts(on.to, to, approved),
    ),
  ]
}

/** ERC20Votes and OpenZeppelin's Governor: votes move, never tokens. */
function voteReaders(): CallDecoder[] {
  const vote = (
    name: string,
    bytes: number,
    selector: Hex,
    { to, value }: CallContext,
  ): DecodedTokenCall => ({
    kind: 'unknown',
    to,
    selector,
    name,
    bytes,
    value,
    // A vote costs nothing.
    ...(value === 0n && { isVote: true }),
  })
  return [
    defineDecoder('function delegate(address)', ([delegatee], { to: contract }) => ({
      kind: 'delegate',
      contract,
      delegatee: toLower(delegatee),
    })),
    defineDecoder('function castVote(uint256, uint8)', (_args, on) =>
      vote('castVote(uint256,uint8)', 68, '0x56781388', on),
    ),
    defineDecoder('function castVoteWithReason(uint256, uint8, string)', ([, , reason], on) =>
      vote('castVoteWithReason(uint256,uint8,string)', voteBytes(reason), '0x7b3c71d3', on),
    ),
  ]
}

function voteBytes(reason: string): number {
  return 4 + 4 * 32 + Math.ceil(new TextEncoder().encode(reason).length / 32) * 32
}
