import { larger } from '../../bounds.ts'
import type { Address } from '../../token/token.ts'
import type { Permit } from '../description.ts'
import { encodeStruct, hasType } from '../encodeType.ts'
import { signedFields } from '../signedFields.ts'
import type { TypedData } from '../typedData.ts'

// github.com/Uniswap/permit2: src/libraries/PermitHash.sol.

export function readPermit2(typedData: TypedData, account: Address): Permit | undefined {
  return readAllowance(typedData, account) ?? readTransfer(typedData, account)
}

function readAllowance(typedData: TypedData, owner: Address): Permit | undefined {
  const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
  const one = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`
  const many = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${details}`
  if (!hasType(typedData, one) && !hasType(typedData, many)) return undefined
  type Entry = { token: Address; amount: bigint; expiration: bigint }
  const {
    details: given,
    spender,
    sigDeadline,
  } = typedData.message as {
    details: Entry | Entry[]
    spender: Address
    sigDeadline: bigint
  }
  const entries = [given].flat()
  return {
    kind: 'permit',
    standard: 'Permit2',
    isLasting: true,
    isUntilRevoked: false,
    terms: {
      owner,
      leaves: entries.map(({ token, amount }) => ({ token, amount })),
      arrives: [],
      fees: [],
      spender,
      // `sigDeadline` ends submission, `expiration` the allowance.
      until: entries.reduce((last, { expiration }) => larger(last, expiration), sigDeadline),
    },
  }
}

function readTransfer(typedData: TypedData, owner: Address): Permit | undefined {
  const { types, primaryType, message } = typedData
  const many = primaryType.startsWith('PermitBatch') ? '[]' : ''
  const head = `(TokenPermissions${many} permitted,address spender,uint256 nonce,uint256 deadline`
  const witness = primaryType.includes('Witness') ? types[primaryType]?.at(-1) : undefined
  const tail = witness === undefined ? ')' : `,${witness.type} ${witness.name})`
  const isForm =
    names.includes(primaryType) &&
    encodeStruct(types, primaryType) === `${primaryType}${head}${tail}` &&
    encodeStruct(types, 'TokenPermissions') === 'TokenPermissions(address token,uint256 amount)'
  if (!isForm) return undefined
  type Entry = { token: Address; amount: bigint }
  const { permitted, spender, deadline } = message as {
    permitted: Entry | Entry[]
    spender: Address
    deadline: bigint
  }
  const along = witness && signedFields(typedData).at(-1)
  return {
    kind: 'permit',
    standard: 'Permit2',
    isLasting: false,
    isUntilRevoked: false,
    ...(along && { witness: along }),
    terms: {
      owner,
      leaves: [permitted].flat().map(({ token, amount }) => ({ token, amount })),
      arrives: [],
      fees: [],
      spender,
      until: deadline,
    },
  }
}

const names = [
  'PermitTransferFrom',
  'PermitBatchTransferFrom',
  'PermitWitnessTransferFrom',
  'PermitBatchWitnessTransferFrom',
]
