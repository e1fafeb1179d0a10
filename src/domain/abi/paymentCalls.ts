import { type CallDecoder, defineDecoder, toLower } from '../calldata/decoder.ts'
import type { Address, Hex } from '../token/token.ts'

export type Payment = {
  name: string
  payees: Address[]
}

/**
 * Reads a known native payment without a return on this chain (bridges, names, debts). Undefined for other
 * calldata, and for a bridge that pays another account.
 */
export function readPayment(data: Hex, account: Address): Payment | undefined {
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

let readers: Map<Hex, CallDecoder<Payment>> | undefined

function createReaders(): CallDecoder<Payment>[] {
  return [
    ...forSender.map(([signature, recipientOf]) =>
      defineDecoder(signature, (args, { account }) => {
        const recipient = recipientOf?.(args as never)
        return recipient === undefined || toLower(recipient) === account
          ? { name: toName(signature), payees: [] }
          : undefined
      }),
    ),
    defineDecoder(
      'function disperseEther(address[] recipients, uint256[] values) payable',
      ([recipients]) => ({
        name: 'disperseEther',
        payees: recipients.map(toLower),
      }),
    ),
  ]
}

/** Signature and recipient; without one it is the sender. */
const forSender: readonly [signature: string, recipientOf?: (args: never) => string][] = [
  // ENS, both registrar controllers.
  ['function renew(string a, uint256 b) payable'],
  ['function renew(string a, uint256 b, bytes32 c) payable'],
  ['function repayBorrow() payable'],
  // Canonical bridges: OP stack, Arbitrum, Polygon, Scroll.
  ['function depositETH(uint32 a, bytes b) payable'],
  ['function bridgeETH(uint32 a, bytes b) payable'],
  ['function depositETHTo(address to, uint32 a, bytes b) payable', first],
  ['function bridgeETHTo(address to, uint32 a, bytes b) payable', first],
  ['function depositEth() payable'],
  ['function depositEtherFor(address user) payable', first],
  ['function depositETH(uint256 a, uint256 b) payable'],
  // Hop.
  [
    'function sendToL2(uint256 a, address to, uint256 b, uint256 c, uint256 d, address e, uint256 f) payable',
    second,
  ],
  // Across: an input in the wrapped token is paid in the native one.
  [
    'function depositV3(address a, address to, address b, address c, uint256 d, uint256 e, uint256 f, address g, uint32 h, uint32 i, uint32 j, bytes k) payable',
    second,
  ],
  [
    'function deposit(bytes32 a, bytes32 to, bytes32 b, bytes32 c, uint256 d, uint256 e, uint256 f, bytes32 g, uint32 h, uint32 i, uint32 j, bytes k) payable',
    ([, recipient]: readonly Hex[]) => toAddress(recipient),
  ],
  // Stargate: pools of the native token take it as value.
  [
    'function send((uint32 a, bytes32 to, uint256 b, uint256 c, bytes d, bytes e, bytes f) param, (uint256 a, uint256 b) fee, address c) payable',
    ([param]: readonly { to: Hex }[]) => toAddress(param?.to),
  ],
]

function first([recipient]: readonly string[]): string {
  return recipient ?? ''
}

function second([, recipient]: readonly string[]): string {
  return recipient ?? ''
}

/** Returns the whole word if it is no padded address. */
function toAddress(word: Hex = '0x'): string {
  return /^0x0{24}/.test(word) ? `0x${word.slice(26)}` : word
}

function toName(signature: string): string {
  return /function (\w+)/.exec(signature)?.[1] ?? ''
}
