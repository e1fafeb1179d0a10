import type { Address } from '../../token/token.ts'
import type { Authorization } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'

// github.com/morpho-org/morpho-blue: ConstantsLib.sol. github.com/compound-finance/comet: CometExt.sol.
const morpho =
  'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)'
const comet = 'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)'

/** Reads control over all positions at a lending market. */
export function readAuthorization(typedData: TypedData): Authorization | undefined {
  const message = typedData.message as never
  if (hasType(typedData, morpho)) {
    const { authorizer, authorized, isAuthorized, deadline } = message as {
      authorizer: Address
      authorized: Address
      isAuthorized: boolean
      deadline: bigint
    }
    return {
      kind: 'authorization',
      protocol: 'Morpho Blue',
      owner: authorizer,
      manager: authorized,
      isAllowed: isAuthorized,
      until: deadline,
    }
  }
  if (!hasType(typedData, comet)) return undefined
  const { owner, manager, isAllowed, expiry } = message as {
    owner: Address
    manager: Address
    isAllowed: boolean
    expiry: bigint
  }
  return { kind: 'authorization', protocol: 'Compound III', owner, manager, isAllowed, until: expiry }
}
