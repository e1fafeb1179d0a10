import { encodeFunctionData, parseAbi, parseAbiParameters } from 'viem'
import { decodeReturned } from '../../domain/abi/decodeStrict.ts'
import type { Call } from '../../domain/activity/callBatch.ts'
import {
  type Address,
  type Hex,
  isNative,
  nativeTokenAddress,
  zeroAddress,
} from '../../domain/token/token.ts'
import { once } from '../../lib/once.ts'
import { allowanceData, balanceData, transferTopic } from '../erc20.ts'
import { type CallResult, nativeBalanceCall, type Call as Read, readNumber } from '../rpc/multicall.ts'
import type { Log } from '../rpc/schemas.ts'

export type BalanceProbe = {
  token: Address
  nft?: bigint
  /** Contracts may draw its id at random (EIP-721). */
  isUnique?: boolean
  /** EIP-721. */
  mayCountItems?: boolean
  read: Read
  count(returned: CallResult): bigint | undefined
}

export type AllowanceProbe = {
  token: Address
  spender: Address
  nft?: bigint
  read: Read
  count(returned: CallResult): bigint | 'all' | undefined
}

// EIP-721 and EIP-1155.
const abi = once(() =>
  parseAbi([
    'function ownerOf(uint256 id)',
    'function getApproved(uint256 id)',
    'function balanceOf(address owner, uint256 id)',
    'function isApprovedForAll(address owner, address operator)',
  ]),
)

const idsAndAmounts = once(() => parseAbiParameters('uint256[], uint256[]'))

/**
 * TransferSingle(address,address,address,uint256,uint256),
 * TransferBatch(address,address,address,uint256[],uint256[])
 */
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
/** Approval(address,address,uint256), ApprovalForAll(address,address,bool) */
const approvalTopic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const approvalForAllTopic = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'

/** approve(address,uint256) */
const approveSelector = '0x095ea7b3'

/**
 * Returns holdings that calls may change, the native balance first. Every contract with a log counts: some
 * move without Transfer (WETH's deposit), some mix standards (ERC-404).
 */
export function findBalanceProbes(
  logs: Log[],
  contracts: Address[],
  account: Address,
  tokens: Address[] = [],
): BalanceProbe[] {
  const items = logs.filter((log) => concerns(log, account)).flatMap((log) => toItems(log, account))
  const collections = new Set(items.map(({ token }) => token))
  const all = new Set([...contracts, ...tokens, ...logs.map(({ address }) => address)])
  const fungible = [...all]
    .filter((each) => !isPseudo(each))
    .map((token) => {
      const mayCountItems = collections.has(token) && !tokens.includes(token)
      return { ...toBalanceProbe(token, account), ...(mayCountItems && { mayCountItems }) }
    })
  return [toBalanceProbe(nativeTokenAddress, account), ...unique(items), ...fungible]
}

export function toBalanceProbe(token: Address, account: Address): BalanceProbe {
  const read = isNative(token) ? nativeBalanceCall(account) : { to: token, data: balanceData(account) }
  return { token, read, count: readNumber }
}

export function findAllowanceProbes(logs: Log[], calls: Call[], account: Address): AllowanceProbe[] {
  const asked = calls.flatMap((call) => toApproval(call, account))
  return unique([...logs.flatMap((log) => toPermission(log, account)), ...asked])
}

function toItems({ address: token, topics, data }: Log, account: Address): BalanceProbe[] {
  const [topic, , , last] = topics
  if (topic === transferTopic && last !== undefined) {
    const nft = BigInt(last)
    const read = { to: token, data: encodeFunctionData({ abi: abi(), functionName: 'ownerOf', args: [nft] }) }
    return [{ token, nft, isUnique: true, read, count: (owner) => (isAddress(owner, account) ? 1n : 0n) }]
  }
  return readIds(topic, data).map((nft) => {
    const args = [account, nft] as const
    const read = { to: token, data: encodeFunctionData({ abi: abi(), functionName: 'balanceOf', args }) }
    return { token, nft, read, count: readNumber }
  })
}

function readIds(topic: Hex | undefined, data: Hex): readonly bigint[] {
  if (topic === singleTopic && data.length >= 66) return [BigInt(data.slice(0, 66))]
  if (topic !== batchTopic) return []
  try {
    return decodeReturned(idsAndAmounts(), data)[0]
  } catch {
    return []
  }
}

function toPermission({ address: token, topics }: Log, account: Address): AllowanceProbe[] {
  const [topic, owner, to, last] = topics
  if (owner === undefined || to === undefined || !isAddress(owner, account)) return []
  const spender: Address = `0x${to.slice(26)}`
  if (topic === approvalForAllTopic) {
    const args = [account, spender] as const
    const data = encodeFunctionData({ abi: abi(), functionName: 'isApprovedForAll', args })
    return [
      { token, spender, read: { to: token, data }, count: (yes) => (readNumber(yes) ? 'all' : undefined) },
    ]
  }
  if (topic !== approvalTopic) return []
  if (last === undefined) {
    return [toAllowance(token, account, spender)]
  }
  const nft = BigInt(last)
  const data = encodeFunctionData({ abi: abi(), functionName: 'getApproved', args: [nft] })
  // Revoked.
  const count = (one: CallResult) => (spender !== zeroAddress && isAddress(one, spender) ? 1n : undefined)
  return [{ token, spender, nft, read: { to: token, data }, count }]
}

function toApproval({ to, data }: Call, account: Address): AllowanceProbe[] {
  const isApproval = data.length === 138 && data.startsWith(approveSelector)
  return to !== undefined && isApproval ? [toAllowance(to, account, `0x${data.slice(34, 74)}`)] : []
}

function toAllowance(token: Address, account: Address, spender: Address): AllowanceProbe {
  return { token, spender, read: { to: token, data: allowanceData(account, spender) }, count: readNumber }
}

function concerns({ topics }: Log, account: Address): boolean {
  return topics.slice(1).some((topic) => isAddress(topic, account))
}

function isAddress(word: Hex | undefined, address: Address): boolean {
  return word?.slice(-40) === address.slice(2) && word.length === 66
}

/** Pseudo-logs (traceTransfers). */
function isPseudo(address: Address): boolean {
  return address === nativeTokenAddress || address === zeroAddress
}

function unique<T extends { read: Read }>(all: T[]): T[] {
  return [...new Map(all.map((each) => [each.read.to + each.read.data, each])).values()]
}
