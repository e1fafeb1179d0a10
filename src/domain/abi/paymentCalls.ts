import { type CallDecoder, defineDecoder, toLower } from '../calldata/decoder.ts'
import { isFarBelow } from '../dapp/risks/risk.ts'
import { findPublicChain } from '../network/chains.ts'
import { type Address, type Hex, zeroAddress } from '../token/token.ts'

export type Payment = {
  name: string
  payees: Address[]
}

type Payer = { account: Address; chainId: number }

/**
 * Reads a known native payment without a return on this chain (bridges, names, debts). Undefined for other
 * calldata, and for a bridge that pays or refunds another account, or less than 90 percent.
 */
export function readPayment(data: Hex, payer: Payer): Payment | undefined {
  readers ??= new Map(createReaders().map((one) => [one.selector, one]))
  const { account } = payer
  const reader = readers.get(data.slice(0, 10).toLowerCase() as Hex)
  try {
    return reader?.read(data.toLowerCase() as Hex, { to: account, value: 0n, account, wrapped: [] })?.(payer)
  } catch {
    return undefined
  }
}

type Read = (payer: Payer) => Payment | undefined

let readers: Map<Hex, CallDecoder<Read>> | undefined

function createReaders(): CallDecoder<Read>[] {
  return [
    ...forSender.map(([signature, isFor]) =>
      defineDecoder<string, Read>(
        signature,
        (args) => (payer) =>
          (isFor?.(args as never, payer) ?? true) ? { name: toName(signature), payees: [] } : undefined,
      ),
    ),
    defineDecoder(
      'function disperseEther(address[] recipients, uint256[] values) payable',
      ([recipients]): Read =>
        () => ({ name: 'disperseEther', payees: recipients.map(toLower) }),
    ),
  ]
}

type IsFor<Args> = (args: Args, payer: Payer) => boolean

/** Signature, and whether the account gets what it pays for; without, it is for the sender. */
const forSender: readonly [signature: string, isFor?: IsFor<never>][] = [
  // ENS, both registrar controllers.
  ['function renew(string, uint256) payable'],
  ['function renew(string, uint256, bytes32) payable'],
  ['function repayBorrow() payable'],
  // Canonical bridges: OP stack, Arbitrum, Polygon, Scroll.
  ['function depositETH(uint32, bytes) payable'],
  ['function bridgeETH(uint32, bytes) payable'],
  ['function depositETHTo(address to, uint32, bytes) payable', isFirst],
  ['function bridgeETHTo(address to, uint32, bytes) payable', isFirst],
  ['function depositEth() payable'],
  ['function depositEtherFor(address user) payable', isFirst],
  ['function depositETH(uint256, uint256) payable'],
  // Hop: the relayer gets its fee. Without a deadline nothing is swapped.
  [
    'function sendToL2(uint256, address to, uint256 amount, uint256 min, uint256 deadline, address, uint256 fee) payable',
    ([, to, amount, min, deadline, , fee]: HopDeposit, { account }) =>
      isAt(to, account) && !isFarBelow(amount - fee, amount) && (deadline === 0n || !isFarBelow(min, amount)),
  ],
  // Across: the depositor is refunded; an input in the wrapped token is paid in the native one.
  [
    'function depositV3(address from, address to, address, address output, uint256, uint256, uint256 chain, address, uint32, uint32, uint32, bytes) payable',
    isAcross,
  ],
  [
    'function deposit(bytes32 from, bytes32 to, bytes32, bytes32 output, uint256, uint256, uint256 chain, bytes32, uint32, uint32, uint32, bytes) payable',
    isAcross,
  ],
  // Stargate: pools of the native token take it as value and refund the surplus. Options may pay others.
  [
    'function send((uint32 a, bytes32 to, uint256 amount, uint256 min, bytes options, bytes b, bytes c) param, (uint256, uint256), address refund) payable',
    ([{ to, amount, min, options }, , refund]: StargateDeposit, { account }) =>
      isAt(to, account) &&
      isAt(refund, account) &&
      !isFarBelow(min, amount) &&
      (options === '0x' || options === '0x0003'),
  ],
]

type HopDeposit = readonly [unknown, string, bigint, bigint, bigint, unknown, bigint]
type AcrossDeposit = readonly [string, string, unknown, string, bigint, bigint, bigint]
type StargateDeposit = readonly [{ to: string; amount: bigint; min: bigint; options: Hex }, unknown, string]

function isFirst([recipient]: readonly string[], { account }: Payer): boolean {
  return isAt(recipient, account)
}

/** Any token may be named as output: worth the input are zero (the same token) and the same native token. */
function isAcross([from, to, , output, paid, returned, chain]: AcrossDeposit, payer: Payer): boolean {
  const { account, chainId } = payer
  const { wrapped, coin } = findPublicChain(Number(chain)) ?? {}
  const isCoin = wrapped !== undefined && coin?.symbol === findPublicChain(chainId)?.coin.symbol
  return (
    isAt(from, account) &&
    isAt(to, account) &&
    (isAt(output, zeroAddress) || (isCoin && isAt(output, wrapped))) &&
    !isFarBelow(returned, paid)
  )
}

/** `word` may be padded to 32 bytes. */
function isAt(word: string | undefined, address: Address): boolean {
  return word !== undefined && toLower(word).replace(/^0x0{24}(?=.{40}$)/, '0x') === address
}

function toName(signature: string): string {
  return /function (\w+)/.exec(signature)?.[1] ?? ''
}
