import { encodeFunctionData, hexToString, parseAbi, size as sizeOf } from 'viem'
import { sanitizeText } from '../domain/sanitize.ts'
import { type Address, type Hex, maxName, maxSymbol, noDecimals, type Token } from '../domain/token/token.ts'
import { once } from '../lib/once.ts'
import { type Call, type CallResult, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

const abi = once(() =>
  parseAbi([
    'function approve(address spender, uint256 amount)',
    'function transfer(address to, uint256 amount)',
    'function balanceOf(address owner)',
    'function allowance(address owner, address spender)',
    'function name()',
    'function symbol()',
    'function decimals()',
  ]),
)

/** keccak256 of Transfer(address,address,uint256). */
export const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Encodes `approve`; 0 revokes. */
export function approvalData(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'approve', args: [spender, amount] })
}

export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'transfer', args: [to, amount] })
}

export function balanceData(owner: Address): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'balanceOf', args: [owner] })
}

export function allowanceData(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'allowance', args: [owner, spender] })
}

export function labelData(label: 'name' | 'symbol' | 'decimals'): Hex {
  return encodeFunctionData({ abi: abi(), functionName: label })
}

const maxLabelBytes = 1_000

/** Decodes a string or bytes32 label. */
export function readLabel(returned: CallResult): string {
  const size = returned === undefined ? 0 : sizeOf(returned)
  if (returned === undefined || size < 32) return ''
  const cut = (from: number, to: number): Hex => `0x${returned.slice(2 + 2 * from, 2 + 2 * to)}`
  const offset = BigInt(cut(0, 32))
  if (size === 32 || offset > BigInt(size - 32)) return hexToString(cut(0, 32)).replace(/\0.*$/s, '')
  const start = Number(offset) + 32
  const length = BigInt(cut(start - 32, start))
  if (length > BigInt(size - start)) return ''
  return hexToString(cut(start, start + Math.min(Number(length), maxLabelBytes)))
}

/** Returns the reads for `readToken`. Only ERC-20 has `allowance` (not EIP-721, EIP-1155). */
export function tokenReads(token: Address): Call[] {
  const labels = (['symbol', 'name', 'decimals'] as const).map(labelData)
  return [...labels, balanceData(token), allowanceData(token, token)].map((data) => ({ to: token, data }))
}

/**
 * Parses token metadata; `symbol` and `decimals` are optional (EIP-20). Undefined without balances, or with
 * neither decimals nor allowances.
 */
export function readToken(address: Address, returned: CallResult[]): Token | undefined {
  const [symbol, name, decimals, balance, allowance] = returned
  const places = readNumber(decimals)
  if (readNumber(balance) === undefined || (places ?? 0n) > 255n) return undefined
  if (places === undefined && readNumber(allowance) === undefined) return undefined
  const own = sanitizeText(readLabel(symbol), maxSymbol)
  const named = {
    ...unnamedToken(address),
    ...(own !== '' && { symbol: own }),
    name: sanitizeText(readLabel(name), maxName),
  }
  return places === undefined ? { ...named, tags: [noDecimals] } : { ...named, decimals: Number(places) }
}

export function unnamedToken(address: Address): Token {
  return newToken(address, `${address.slice(0, 6)}…${address.slice(-4)}`, '', 0)
}

export function newToken(address: Address, symbol: string, name: string, decimals: number): Token {
  return { address, symbol, name, decimals, listed: false, eip2612: false, taxed: false, tags: [] }
}

/** mirrorERC721() and baseERC20() */
const mirrorData: Hex = '0x4ef41efc'
const baseData: Hex = '0x97e5311c'

/** Returns the ERC-7631 mirror. Each must name the other, so a token cannot claim a foreign collection. */
export async function readMirror(rpc: Rpc, token: Address): Promise<Address | undefined> {
  const mirror = readAddress((await multicall(rpc, [{ to: token, data: mirrorData }]))[0])
  if (mirror === undefined) return undefined
  const [base] = await multicall(rpc, [{ to: mirror, data: baseData }])
  return readAddress(base) === token ? mirror : undefined
}

function readAddress(returned: CallResult): Address | undefined {
  if (returned?.length !== 66 || !returned.startsWith(`0x${'0'.repeat(24)}`)) return undefined
  return `0x${returned.slice(26)}`
}

/** 30,000 gas each; RPCs allow 50 million. */
const mostReads = 400

export async function readAllowances(
  rpc: Rpc,
  tokens: Address[],
  spenders: Address[],
  callOf: (token: Address, spender: Address) => Call,
): Promise<{ token: Address; spender: Address; returned: CallResult }[]> {
  const pairs = tokens.flatMap((token) => spenders.map((spender) => ({ token, spender })))
  const calls = pairs.map(({ token, spender }) => callOf(token, spender))
  const returned: CallResult[] = []
  for (let start = 0; start < calls.length; start += mostReads) {
    returned.push(...(await multicall(rpc, calls.slice(start, start + mostReads))))
  }
  return pairs.map((pair, index) => ({ ...pair, returned: returned[index] }))
}
