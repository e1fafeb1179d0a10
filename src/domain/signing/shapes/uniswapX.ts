import { smaller } from '../../bounds.ts'
import type { Address } from '../../token/token.ts'
import type { OrderDescription, SignedAsset } from '../description.ts'
import { encodeType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'
import { isKnownContract } from './knownContracts.ts'
import { readPermit2 } from './permit2.ts'
import { toAsset } from './toAsset.ts'

// github.com/Uniswap/UniswapX: src/lib/*OrderLib.sol.

/**
 * Reads a Permit2 transfer with an order as witness. Only a known reactor enforces the witness; with any
 * other spender it stays a permit.
 */
export function readUniswapX(typedData: TypedData, account: Address): OrderDescription | undefined {
  const { types, primaryType, message } = typedData
  const permit = primaryType === 'PermitWitnessTransferFrom' ? readPermit2(typedData, account) : undefined
  const witness = types[primaryType]?.at(-1)
  if (permit?.terms.spender === undefined || witness === undefined) return undefined
  const form = forms.find(({ type }) => encodeType(types, witness.type) === type)
  if (form === undefined || !isKnownContract('UniswapX', permit.terms.spender)) return undefined
  const order = message[witness.name] as { info: Info }
  const { swapper, deadline, reactor } = order.info
  if (reactor !== permit.terms.spender) return undefined
  const { outputs, isBuy } = form.read(order as never)
  const assets = outputs.map(({ token, amount, recipient }) => ({ ...toAsset(token, amount), to: recipient }))
  return {
    kind: 'order',
    venue: 'UniswapX',
    side: isBuy ? 'buy' : 'sell',
    isFloorCertain: true,
    terms: {
      ...permit.terms,
      owner: swapper,
      ...splitByRecipient(assets, swapper),
      until: deadline,
    },
  }
}

/** Without any to the swapper, all outputs count as arriving. */
function splitByRecipient(
  assets: SignedAsset[],
  swapper: Address,
): { arrives: SignedAsset[]; fees: SignedAsset[] } {
  const own = assets.filter(({ to }) => to === swapper)
  if (own.length === 0) return { arrives: assets, fees: [] }
  return { arrives: own, fees: assets.filter(({ to }) => to !== swapper) }
}

type Info = { reactor: Address; swapper: Address; deadline: bigint }
type Output = { token: Address; amount: bigint; recipient: Address }
type Form = { type: string; read(order: never): { outputs: Output[]; isBuy: boolean } }

const info =
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,' +
  'address additionalValidationContract,bytes additionalValidationData)'
const dutchOutput = 'DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)'

const forms: Form[] = [
  {
    type:
      'ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,' +
      'uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,' +
      `DutchOutput[] outputs)${dutchOutput}${info}`,
    read: ({ inputStartAmount, inputEndAmount, outputs }: Dutch & { outputs: DutchOutput[] }) => ({
      outputs: outputs.map(lowest),
      isBuy: inputStartAmount !== inputEndAmount,
    }),
  },
  {
    type:
      'V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,' +
      `uint256 baseInputEndAmount,DutchOutput[] baseOutputs)${dutchOutput}${info}`,
    read: (order: {
      baseInputStartAmount: bigint
      baseInputEndAmount: bigint
      baseOutputs: DutchOutput[]
    }) => ({
      outputs: order.baseOutputs.map(lowest),
      isBuy: order.baseInputStartAmount !== order.baseInputEndAmount,
    }),
  },
  {
    type:
      'V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,' +
      'V3DutchOutput[] baseOutputs)NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)' +
      `${info}V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,` +
      'uint256 adjustmentPerGweiBaseFee)V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,' +
      'address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)',
    read: (order: { baseInput: V3Input; baseOutputs: V3Output[] }) => ({
      outputs: order.baseOutputs.map(({ token, minAmount, recipient }) => ({
        token,
        amount: minAmount,
        recipient,
      })),
      isBuy: order.baseInput.startAmount !== order.baseInput.maxAmount,
    }),
  },
  {
    type:
      'PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,' +
      `PriorityInput input,PriorityOutput[] outputs)${info}` +
      'PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)' +
      'PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)',
    read: ({ input, outputs }: { input: { mpsPerPriorityFeeWei: bigint }; outputs: Output[] }) => ({
      outputs,
      isBuy: input.mpsPerPriorityFeeWei > 0n,
    }),
  },
  {
    type:
      'LimitOrder(OrderInfo info,address inputToken,uint256 inputAmount,OutputToken[] outputs)' +
      `${info}OutputToken(address token,uint256 amount,address recipient)`,
    read: ({ outputs }: { outputs: Output[] }) => ({ outputs, isBuy: false }),
  },
]

type Dutch = { inputStartAmount: bigint; inputEndAmount: bigint }
type DutchOutput = { token: Address; startAmount: bigint; endAmount: bigint; recipient: Address }
type V3Input = { startAmount: bigint; maxAmount: bigint }
type V3Output = { token: Address; minAmount: bigint; recipient: Address }

function lowest({ token, startAmount, endAmount, recipient }: DutchOutput): Output {
  return { token, amount: smaller(startAmount, endAmount), recipient }
}
