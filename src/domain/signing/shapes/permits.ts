import type { Address } from '../../token/token.ts'
import type { Permit, SignedAsset } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'

/** Reads permits that the token or collection checks itself. */
export function readPermit(typedData: TypedData, account: Address): Permit | undefined {
  const token = typedData.domain.verifyingContract
  const form = forms.find(({ type }) => hasType(typedData, type))
  if (token === undefined || form === undefined) return undefined
  const { owner = account, spender, until, ...asset } = form.read(typedData.message as never)
  return {
    kind: 'permit',
    standard: form.standard,
    isLasting: true,
    // Deadlines, and DAI's expiry, limit only `permit()`.
    isUntilRevoked: true,
    terms: {
      owner,
      leaves: [{ token, ...asset }],
      arrives: [],
      fees: [],
      spender,
      ...(until !== undefined && { until }),
    },
  }
}

type Form = {
  standard: Permit['standard']
  type: string
  read(message: never): Omit<SignedAsset, 'token'> & { owner?: Address; spender: Address; until?: bigint }
}

const forms: Form[] = [
  {
    standard: 'EIP-2612',
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    read: ({ owner, spender, value, deadline }: Record<'owner' | 'spender', Address> & Amounts) => ({
      owner,
      spender,
      amount: value,
      until: deadline,
    }),
  },
  {
    // All or nothing; expiry 0 never ends.
    standard: 'DAI',
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    read: ({ holder, spender, allowed, expiry }: DaiMessage) => ({
      owner: holder,
      spender,
      amount: allowed ? 'all' : 0n,
      ...(expiry !== 0n && { until: expiry }),
    }),
  },
  {
    // EIP-4494, and Uniswap positions.
    standard: 'ERC-721',
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    read: ({ spender, tokenId, deadline }: { spender: Address; tokenId: bigint; deadline: bigint }) => ({
      spender,
      amount: 1n,
      item: tokenId,
      until: deadline,
    }),
  },
  {
    standard: 'ERC-721 for all',
    type: 'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)',
    read: ({ operator, approved, deadline }: { operator: Address; approved: boolean; deadline: bigint }) => ({
      spender: operator,
      amount: approved ? 'all' : 0n,
      item: 'any' as const,
      until: deadline,
    }),
  },
  {
    // The spender borrows; the account owes.
    standard: 'Aave credit delegation',
    type: 'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
    read: ({ delegatee, value, deadline }: { delegatee: Address } & Amounts) => ({
      spender: delegatee,
      amount: value,
      until: deadline,
    }),
  },
]

type Amounts = { value: bigint; deadline: bigint }
type DaiMessage = { holder: Address; spender: Address; allowed: boolean; expiry: bigint }
