import { lower, type Reader, reader } from '../calldata/decoder.ts'
import type { Address, Hex } from '../token/token.ts'

export type Payment = {
  name: string
  /** Accounts that are paid, other than the sender. */
  payees: Address[]
}

/**
 * Reads a well-known payment in the native token whose return is no token on this chain: bridges, names,
 * debts. Beside the payment they change nothing of the sender's. Undefined for any other calldata, and for
 * one of a bridge that pays another account.
 */
export function readPayment(data: Hex, account: Address): Payment | undefined {
  // Made when the first call is read: importing a file does nothing.
  readers ??= new Map(createReaders().map((one) => [one.selector, one]))
  try {
    return readers.get(data.slice(0, 10).toLowerCase() as Hex)?.read(data.toLowerCase() as Hex, {
      to: account,
      value: 0n,
      account,
      wrapped: [],
    })
  } catch {
    return undefined
  }
}

let readers: Map<Hex, Reader<Payment>> | undefined

function createReaders(): Reader<Payment>[] {
  return [
    ...forSender.map(([signature, recipientOf]) =>
      reader(signature, (args, { account }) => {
        const recipient = recipientOf?.(args as never)
        return recipient === undefined || lower(recipient) === account
          ? { name: nameOf(signature), payees: [] }
          : undefined
      }),
    ),
    reader('function disperseEther(address[] recipients, uint256[] values) payable', ([recipients]) => ({
      name: 'disperseEther',
      payees: recipients.map(lower),
    })),
  ]
}

/** Functions, with the account that they pay on the other side. Without one it is the sender. */
const forSender: readonly [signature: string, recipientOf?: (args: never) => string][] = [
  // ENS, both registrar controllers.
  ['function renew(string name, uint256 duration) payable'],
  ['function renew(string name, uint256 duration, bytes32 referrer) payable'],
  // Debts of Compound.
  ['function repayBorrow() payable'],
  // Canonical bridges: OP stack, Arbitrum, Polygon, Scroll.
  ['function depositETH(uint32 minGasLimit, bytes extraData) payable'],
  ['function bridgeETH(uint32 minGasLimit, bytes extraData) payable'],
  ['function depositETHTo(address to, uint32 minGasLimit, bytes extraData) payable', first],
  ['function bridgeETHTo(address to, uint32 minGasLimit, bytes extraData) payable', first],
  ['function depositEth() payable'],
  ['function depositEtherFor(address user) payable', first],
  ['function depositETH(uint256 amount, uint256 gasLimit) payable'],
  // Hop.
  [
    'function sendToL2(uint256 chainId, address recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address relayer, uint256 relayerFee) payable',
    second,
  ],
  // Across: an input in the wrapped token is paid in the native one.
  [
    'function depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) payable',
    second,
  ],
  [
    'function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message) payable',
    ([, recipient]: readonly Hex[]) => toAddress(recipient),
  ],
  // Stargate, whose pools of the native token take it as value.
  [
    'function send((uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd) sendParam, (uint256 nativeFee, uint256 lzTokenFee) fee, address refundAddress) payable',
    ([param]: readonly { to: Hex }[]) => toAddress(param?.to),
  ],
]

function first([recipient]: readonly string[]): string {
  return recipient ?? ''
}

function second([, recipient]: readonly string[]): string {
  return recipient ?? ''
}

/** The account of a left-padded word; the whole word where it is none. */
function toAddress(word: Hex = '0x'): string {
  return /^0x0{24}/.test(word) ? `0x${word.slice(26)}` : word
}

function nameOf(signature: string): string {
  return /function (\w+)/.exec(signature)?.[1] ?? ''
}
