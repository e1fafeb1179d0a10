import type { Call } from '../../activity/callBatch.ts'
import { type Address, type Hex, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import type { AccountCalls } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'

/** Reads calls that a relayer submits for the account. */
export function readRelayedCalls(typedData: TypedData): AccountCalls | undefined {
  const contract = typedData.domain.verifyingContract
  if (contract === undefined) return undefined
  const form = forms.find(({ types }) => types.some((type) => hasType(typedData, type)))
  return form?.read(typedData.message as never, contract)
}

type Form = { types: string[]; read(message: never, contract: Address): AccountCalls }

const zeroExFees = 'MetaTransactionFeeData(address recipient,uint256 amount)'

const forms: Form[] = [
  {
    // Polygon bridge tokens: the contract calls itself as `from`.
    types: ['MetaTransaction(uint256 nonce,address from,bytes functionSignature)'],
    read: ({ from, functionSignature }: { from: Address; functionSignature: Hex }, contract) =>
      relayed('MetaTransaction', from, { to: contract, data: functionSignature, value: 0n }),
  },
  {
    // ERC-2771 in OpenZeppelin 4 and 5.
    types: [
      'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)',
      'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
    ],
    read: ({ from, to, value, data, deadline }: Forward) => ({
      ...relayed('ForwardRequest', from, { to, data, value }),
      ...(deadline !== undefined && { until: deadline }),
    }),
  },
  {
    types: [
      'MetaTransactionData(address signer,address sender,uint256 minGasPrice,uint256 maxGasPrice,' +
        'uint256 expirationTimeSeconds,uint256 salt,bytes callData,uint256 value,address feeToken,uint256 feeAmount)',
      'MetaTransactionDataV2(address signer,address sender,uint256 expirationTimeSeconds,uint256 salt,bytes callData,' +
        `address feeToken,MetaTransactionFeeData[] fees)${zeroExFees}`,
    ],
    read: (message: ZeroEx, contract) => {
      const { signer, callData, value = 0n, feeToken, feeAmount, fees = [], expirationTimeSeconds } = message
      const amount = feeAmount ?? fees.reduce((sum, each) => sum + each.amount, 0n)
      return {
        ...relayed('0x', signer, { to: contract, data: callData, value }),
        ...(amount > 0n && {
          fee: { token: feeToken === zeroAddress ? nativeTokenAddress : feeToken, amount },
        }),
        until: expirationTimeSeconds,
      }
    },
  },
]

type Forward = { from: Address; to: Address; value: bigint; data: Hex; deadline?: bigint }
type ZeroEx = {
  signer: Address
  callData: Hex
  value?: bigint
  feeToken: Address
  feeAmount?: bigint
  fees?: { amount: bigint }[]
  expirationTimeSeconds: bigint
}

function relayed(standard: AccountCalls['standard'], sender: Address, call: Call): AccountCalls {
  return { kind: 'calls', standard, sender, calls: [call], data: call.data, isDelegate: false }
}
